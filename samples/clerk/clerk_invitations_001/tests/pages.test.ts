import { expect, test } from 'vitest'
import { everything } from '../expected/src/pages'

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => ({ id: `e${from + place}` }))

/** Reads a list that may change from page to page; `pages` tells which were read. */
function listOf(lists: { id: string }[][]) {
  const pages: string[] = []
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    const list = lists[Math.min(pages.length, lists.length - 1)]
    pages.push(`${offset}+${limit}`)
    return { data: list.slice(offset, offset + limit), totalCount: list.length }
  }
  return { read, pages }
}

async function idsOf(read: Parameters<typeof everything>[0]): Promise<string[]> {
  return (await everything(read)).map(({ id }) => id)
}

test('an empty list is read once', async () => {
  const { read, pages } = listOf([[]])
  expect(await idsOf(read)).toEqual([])
  expect(pages).toEqual(['0+100'])
})

test('a short list is read once', async () => {
  const { read, pages } = listOf([ids(0, 3)])
  expect(await idsOf(read)).toEqual(['e0', 'e1', 'e2'])
  expect(pages).toEqual(['0+100'])
})

test('a full page needs no second one', async () => {
  const { read, pages } = listOf([ids(0, 100)])
  expect(await idsOf(read)).toHaveLength(100)
  expect(pages).toEqual(['0+100'])
})

test('a long list is read page by page, in its order', async () => {
  const { read, pages } = listOf([ids(0, 230)])
  const found = await idsOf(read)
  expect([found.length, found[0], found[100], found[229]]).toEqual([230, 'e0', 'e100', 'e229'])
  expect(pages).toEqual(['0+100', '100+100', '200+100'])
})

test('an entry that moved on to the next page is given once', async () => {
  const { read } = listOf([ids(0, 101), [{ id: 'new' }, ...ids(0, 101)]])
  const found = await idsOf(read)
  expect(found).toHaveLength(101)
  expect(found.slice(98)).toEqual(['e98', 'e99', 'e100'])
})

test('a list that shrinks meanwhile comes to an end', async () => {
  const pages: number[] = []
  const found = await idsOf(async ({ offset }) => {
    pages.push(offset)
    if (pages.length > 3) throw new Error('this goes on for ever')
    return { data: offset === 0 ? ids(0, 100) : [], totalCount: 150 }
  })
  expect(found).toHaveLength(100)
  expect(pages).toEqual([0, 100])
})
