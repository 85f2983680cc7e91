/** Renders the solution's root layout around a page that asks Clerk who is visiting. */
import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { useAuth } from '@clerk/nextjs'
import { RouterStub } from '../../solution_driver/router'
import { type Outcome, pageRequest, serve } from '../../solution_driver/server'
import { importRoute } from '../../solution_driver/solution'

/** Throws where Clerk's provider is missing. */
function Asking() {
  const { isSignedIn } = useAuth()
  return <p>{isSignedIn ? 'asked and answered' : 'asked'}</p>
}

export async function visitDocument(): Promise<Outcome<string>> {
  const { default: Layout } = await importRoute('layout')
  return serve(pageRequest('/'), async () => {
    const errors: unknown[] = []
    const tree = (
      <RouterStub>
        <Layout>
          <Asking />
        </Layout>
      </RouterStub>
    )
    const { prelude } = await prerenderToNodeStream(tree, { onError: (error) => void errors.push(error) })
    const html = await text(prelude)
    if (errors.length > 0) throw errors[0]
    return html
  })
}
