export async function POST() {
  return Response.json({ received: true })
}
