/**
 * Messages between the thread of a cluster's engine and the thread that started it, besides requests, outputs
 * and batches.
 */

import type { ClusterNote, LeadReport } from '../../../engine/leadership/cluster-ports.ts'
import type { RememberedPlace } from '../../../engine/port/journal.ts'
import type { EngineLimits } from '../../../engine/port/limits.ts'
import type { StopReport } from '../../../engine/writer/compose.ts'
import type { ClockLimits } from '../../../engine/writer/journal-clock.ts'
import type { ThreadFailure } from '../../../transport/thread/messages.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { ClusterStorageSettings } from '../../node/storage/cluster-storage.ts'
import type { PeerAnswer } from './peer-refusals.ts'
import type { PeerLinks } from './peer-search.ts'

/** The first message to the thread. */
export type ClusterWorkerStart = {
  readonly name: string
  readonly storage: ClusterStorageSettings
  readonly leadership: { readonly heartbeatMs: number; readonly silenceMs: number }
  /** The other engines, and the positions known to them and to this engine. */
  readonly links: PeerLinks
  readonly limits: EngineLimits
  readonly clockLimits: ClockLimits
  /** Shared memory of its `ClockBoard`, `PositionBoard` and `EngineMeter`. */
  readonly clockBoard: SharedArrayBuffer
  readonly positionBoard: SharedArrayBuffer
  readonly meter: SharedArrayBuffer
  readonly control: MessagePort
  /** Batches for the follower of this process, and for other processes, auditors and backups. */
  readonly batches: MessagePort
  readonly audits: MessagePort
}

export type ToClusterWorker =
  | { readonly kind: 'stop' }
  /** Certificates or secrets of links have changed. */
  | { readonly kind: 'links'; readonly links: PeerLinks }
  /** Another part of the process has failed. */
  | { readonly kind: 'halt'; readonly why: string }
  /** A peer presents its last known position of the journal; answered by `presented` with the same number. */
  | { readonly kind: 'present'; readonly number: number; readonly place: RememberedPlace }

export type FromClusterWorker =
  | { readonly kind: 'note'; readonly note: ClusterNote }
  /** Another engine's answer to the question whether it leads. */
  | { readonly kind: 'peer'; readonly answer: PeerAnswer }
  | { readonly kind: 'caughtUp'; readonly seq: Seq }
  /** The engine leads from here on; requests go over this port, whose end marks the end of the lead. */
  | { readonly kind: 'leads'; readonly report: LeadReport; readonly requests: MessagePort }
  | { readonly kind: 'presented'; readonly number: number; readonly problem: string | undefined }
  | { readonly kind: 'stopped'; readonly report: StopReport }
  | { readonly kind: 'failed'; readonly failure: ThreadFailure }
