/** What a process shows of its descriptors, and of the connections that take them, as metrics. */
import { type Labels, type Metrics, one, type Reading } from './metric-kinds.ts'

export type DescriptorUse = {
  /** In use, of `max`. */
  readonly used: number
  readonly max: number
  /** Taken by the process's own servers, on all ports. */
  readonly connections: number
  /** No client is taken at the moment. */
  readonly isClosed: boolean
  /** How often that began. */
  readonly closed: number
  readonly cutByCause: Readonly<Record<string, number>>
}

/** Nothing is shown where the system does not show it. `gateways`: those in processes of their own. */
export function addDescriptors(
  { gauge, counter }: Metrics,
  own: () => DescriptorUse | undefined,
  gateways: () => Iterable<readonly [gateway: string, DescriptorUse]> = () => [],
): void {
  const uses = (): readonly (readonly [Labels, DescriptorUse])[] => {
    const use = own()
    const others = Array.from(gateways(), ([gateway, each]) => [{ gateway }, each] as const)
    return use === undefined ? others : [[{}, use], ...others]
  }
  const ownValue = (value: (use: DescriptorUse) => number) => (): Reading[] => {
    const use = own()
    return use === undefined ? [] : one(value(use))
  }
  const values = (value: (use: DescriptorUse) => number) => (): Reading[] =>
    uses().map(([labels, use]) => ({ labels, value: value(use) }))
  gauge(
    'process_open_fds',
    'Descriptors in use, as of the last look',
    ownValue(({ used }) => used),
  )
  gauge(
    'process_max_fds',
    'Most descriptors that the process may have',
    ownValue(({ max }) => max),
  )
  gauge(
    'bourse_descriptors_used_ratio',
    'Descriptors in use, of those that the process may have: 0 to 1',
    values(({ used, max }) => used / max),
  )
  gauge(
    'bourse_connections',
    'Connections that the servers of the process have taken, on all ports',
    values(({ connections }) => connections),
  )
  gauge(
    'bourse_connections_refused',
    '1 while no client is taken for want of descriptors, else 0',
    values(({ isClosed }) => Number(isClosed)),
  )
  counter(
    'bourse_connections_refused_total',
    'Times that no client was taken for want of descriptors',
    values(({ closed }) => closed),
  )
  counter('bourse_connections_cut_total', 'Connections cut off so that descriptors last, by cause', () =>
    uses().flatMap(([labels, { cutByCause }]) =>
      Object.entries(cutByCause).map(([cause, value]) => ({ labels: { ...labels, cause }, value })),
    ),
  )
}
