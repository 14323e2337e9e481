/** Metrics that a node exports, parsed for tests. */

/** Values by name and labels in their exported form: `bourse_trades_total{symbol="BTC/USDT"}`. */
export type Scrape = ReadonlyMap<string, number>

export async function scrape(monitoringUrl: string): Promise<Scrape> {
  const answer = await fetch(`${monitoringUrl}/metrics`)
  if (answer.status !== 200) throw new Error(`expected 200, found ${answer.status}`)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
