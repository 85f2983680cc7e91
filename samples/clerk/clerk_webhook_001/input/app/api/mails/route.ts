import { sentMails } from '@/lib/mailer'

export async function GET() {
  return Response.json(await sentMails())
}
