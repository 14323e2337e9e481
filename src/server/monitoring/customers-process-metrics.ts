/**
 * The metrics of a cluster's customers process: customers, its connection to the exchange, and the process
 * itself.
 */
import { Registry } from 'prom-client'
import type { OnFault } from '../../units/guarded.ts'
import { addCustomers, type CustomersReading } from './customer-metrics.ts'
import { addProcess, type GatewayMetricsSource } from './gateway-metrics.ts'
import { metricsOf, one } from './metric-kinds.ts'
import type { NodeMetrics } from './metrics.ts'

export type CustomersMetricsSource = Pick<GatewayMetricsSource, 'version' | 'health' | 'loop' | 'process'> & {
  /** The engine through which it changes the exchange; undefined if none is known. */
  readonly lead: () => { readonly epoch: number } | undefined
  readonly read: () => Promise<CustomersReading>
  /** Called for a metric that could not be read. */
  readonly onFault: OnFault
}

export function customersMetrics(source: CustomersMetricsSource): NodeMetrics {
  const registry = new Registry()
  const metrics = metricsOf(registry, source.onFault)
  const { lead, read } = source
  metrics.gauge('bourse_link_open', '1 while the leading engine is known, else 0', () =>
    one(Number(lead() !== undefined)),
  )
  metrics.gauge('bourse_epoch', 'Epoch of the leading engine; 0 if none is known', () =>
    one(lead()?.epoch ?? 0),
  )
  addCustomers(metrics, read)
  addProcess(metrics, source)
  return { contentType: registry.contentType, text: () => registry.metrics() }
}
