/** The phase of all symbols together, and the changes of it that are planned. */
import type { AdminExchange } from '../admin-records.ts'
import type { AuditFields } from './fields.ts'

export type PhaseOperations = {
  /** The phase of all symbols together. */
  'exchange/show': { readonly request: Record<string, never>; readonly result: AdminExchange }
  'exchange/halt': { readonly request: AuditFields; readonly result: AdminExchange }
  'exchange/close': { readonly request: AuditFields; readonly result: AdminExchange }
  'exchange/open': { readonly request: AuditFields; readonly result: AdminExchange }
  /** In the order of their moments, each as `CLOSED@2026-12-01T02:00:00Z` or `CLOSED@+30m`; they take the place of those planned before. */
  'exchange/plan': { readonly request: AuditFields & { steps: string[] }; readonly result: AdminExchange }
  'exchange/unplan': { readonly request: AuditFields; readonly result: AdminExchange }
}
