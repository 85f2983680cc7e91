export interface Bid {
  id: number
  bidder: string
  amount: number
}

type Listener = (bid: Bid | null) => void // null: the auction is over

/** One auction, kept in memory. */
export class Auction {
  readonly bids: Bid[] = []
  readonly listeners = new Set<Listener>()
  isClosed = false

  get highest(): Bid | undefined {
    return this.bids.at(-1)
  }

  add(bidder: string, amount: number): Bid {
    const bid = { id: this.bids.length + 1, bidder, amount }
    this.bids.push(bid)
    this.#tell(bid)
    return bid
  }

  close(): void {
    this.isClosed = true
    this.#tell(null)
  }

  #tell(bid: Bid | null): void {
    for (const listener of this.listeners) listener(bid)
  }
}
