import { notFound } from 'next/navigation'
import { findItem } from '@/lib/warehouse'

export default async function ItemPage({ params }: { params: Promise<{ sku: string }> }) {
  const item = await findItem((await params).sku)
  if (!item) notFound()
  return (
    <h1>
      {item.name}: {item.amount} in stock
    </h1>
  )
}
