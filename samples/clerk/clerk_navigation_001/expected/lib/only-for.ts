import { auth } from '@clerk/nextjs/server'
import { notFound } from 'next/navigation'
import { maySee } from '@/lib/audience'
import { LINKS } from '@/lib/links'

/** Lets those pass who may see the link to that address. */
export async function onlyForThoseWhoSee(href: string): Promise<void> {
  const viewer = await auth()
  if (!viewer.userId) return viewer.redirectToSignIn()
  const link = LINKS.find((one) => one.href === href)
  if (!link || !maySee(viewer, link.audience)) notFound()
}
