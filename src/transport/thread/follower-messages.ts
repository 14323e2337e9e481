/** Messages between the follower thread and the thread that started it. */
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { Seq } from '../../units/quantities.ts'

/** From the thread that started the follower. */
export type FollowerOrder =
  /** The rest of the node is ready: read the state and follow. */
  | { readonly kind: 'begin' }
  /** End once command `seq` has been processed. */
  | { readonly kind: 'finish'; readonly seq: Seq }
  /** The engine thread ended. */
  | { readonly kind: 'engineLost' }

/** To the thread that started the follower. */
export type FollowerReport =
  /** History has reached command `seq`, and queries are answered. */
  | { readonly kind: 'started'; readonly seq: Seq }
  | { readonly kind: 'note'; readonly note: FollowerNote }
  | { readonly kind: 'finished'; readonly seq: Seq }
  /** The follower ended by a fault; the history answers ENGINE_DOWN from now on. */
  | {
      readonly kind: 'failed'
      readonly fault: string
      readonly message: string
      /** Whether the disk was full: the same start may succeed once there is space. */
      readonly isFull?: boolean
      readonly stack: string | undefined
    }
