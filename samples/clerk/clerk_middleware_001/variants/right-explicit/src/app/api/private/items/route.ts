export async function GET() {
  return Response.json([{ id: 1, name: 'first item' }])
}
