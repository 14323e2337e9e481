/** Metrics of the file descriptors of a process, and of the connections that use them. */
import { type Labels, type Metrics, one, type Reading } from './metric-kinds.ts'

export type DescriptorUse = {
  /** Number of descriptors in use, out of `max`. */
  readonly used: number
  readonly max: number
  /** Descriptors taken by connections of the process's own servers, on all ports. */
  readonly connections: number
  /** Whether clients are currently not accepted. */
  readonly isClosed: boolean
  /** Number of times that the process stopped accepting clients. */
  readonly closed: number
  readonly cutByCause: Readonly<Record<string, number>>
}

/** Shows no values if the system does not provide them. `gateways`: those in separate processes. */
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
    'File descriptors in use at the last check',
    ownValue(({ used }) => used),
  )
  gauge(
    'process_max_fds',
    'Limit of file descriptors of the process',
    ownValue(({ max }) => max),
  )
  gauge(
    'bourse_descriptors_used_ratio',
    'Share of the file descriptor limit in use, 0 to 1',
    values(({ used, max }) => used / max),
  )
  gauge(
    'bourse_connections',
    'Open connections of the servers of the process, on all ports',
    values(({ connections }) => connections),
  )
  gauge(
    'bourse_connections_refused',
    '1 while no connections are accepted because file descriptors are short, else 0',
    values(({ isClosed }) => Number(isClosed)),
  )
  counter(
    'bourse_connections_refused_total',
    'Times that connections were not accepted because file descriptors were short',
    values(({ closed }) => closed),
  )
  counter('bourse_connections_cut_total', 'Connections closed to save file descriptors, by cause', () =>
    uses().flatMap(([labels, { cutByCause }]) =>
      Object.entries(cutByCause).map(([cause, value]) => ({ labels: { ...labels, cause }, value })),
    ),
  )
}
