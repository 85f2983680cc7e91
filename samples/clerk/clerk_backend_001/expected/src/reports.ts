/** Where reports are kept. Use it as it is. */
export interface Report {
  id: string
  title: string
}

export interface Reports {
  /** The reports of an organisation. */
  list(organizationId: string): Promise<Report[]>
  /** Removes a report of that organisation; false if it has none of that id. */
  remove(organizationId: string, id: string): Promise<boolean>
}
