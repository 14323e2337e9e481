/** The node itself: its state, journal, clock, figures, and the faults of a sandbox. */
import type { AdminFault, FaultWish } from '../admin-faults.ts'
import type {
  AdminArchive,
  AdminBatch,
  AdminClock,
  AdminLoad,
  AdminMetrics,
  AdminStatus,
} from '../admin-records.ts'
import type { AuditFields } from './fields.ts'

export type NodeOperations = {
  'node/status': { readonly request: Record<string, never>; readonly result: AdminStatus }
  'rules/set': {
    readonly request: AuditFields & { version: number }
    readonly result: { readonly version: number }
  }
  /** Stored batches that end after command `after`, oldest first. */
  'journal/read': {
    readonly request: { after: number; bytesMax?: number | undefined }
    /** Empty at the journal's end. */
    readonly result: readonly AdminBatch[]
  }
  'journal/quarantined': {
    readonly request: Record<string, never>
    /** Commands that every replay passes over. */
    readonly result: readonly number[]
  }
  /** Files that have the older part of the journal, oldest first. */
  'journal/archives': { readonly request: Record<string, never>; readonly result: readonly AdminArchive[] }
  /** Records a complete file, which `bourse archive` has made. */
  'archive/record': { readonly request: AdminArchive; readonly result: { readonly recorded: true } }
  /** Removes at most so many of the oldest batches that a recorded file holds. */
  'archive/trim': {
    readonly request: { batchesMax: number }
    readonly result: { readonly removed: number; readonly left: number }
  }
  'clock/show': { readonly request: Record<string, never>; readonly result: AdminClock }
  'fault/list': { readonly request: Record<string, never>; readonly result: readonly AdminFault[] }
  'fault/add': { readonly request: AuditFields & FaultWish; readonly result: AdminFault }
  /** Without a number: all of them. */
  'fault/clear': {
    readonly request: AuditFields & { number?: number | undefined }
    /** How many have ended. */
    readonly result: { readonly cleared: number }
  }
  /** What the node measures of itself, and whether it is well. */
  'metrics/show': { readonly request: Record<string, never>; readonly result: AdminMetrics }
  /** What it did in the last hour, look by look; later than `after` (milliseconds since 1970) alone. */
  'load/show': { readonly request: { after?: number | undefined }; readonly result: readonly AdminLoad[] }
  'clock/accept': {
    readonly request: AuditFields
    /** `before`: the server's time until then. */
    readonly result: AdminClock & { readonly before: string }
  }
}
