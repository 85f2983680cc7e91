/** Everything in a list of Stripe's, page by page. */
export async function* everything(list, params) {
  let cursor
  do {
    const { data, has_more: hasMore } = await list({ ...params, limit: 50, ...(cursor && { starting_after: cursor }) })
    yield* data
    cursor = hasMore ? data.at(-1).id : undefined
  } while (cursor)
}
