/** What passes between the follower's thread and the one that started it. */
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { Seq } from '../../units/quantities.ts'

/** From the thread that started the follower. */
export type FollowerOrder =
  /** The rest of the node stands: read the state, and follow. */
  | { readonly kind: 'begin' }
  /** End once command `seq` has been taken in. */
  | { readonly kind: 'finish'; readonly seq: Seq }
  /** The engine's thread is gone. */
  | { readonly kind: 'engineLost' }

/** To the thread that started the follower. */
export type FollowerReport =
  /** History stands at command `seq`, and questions are answered. */
  | { readonly kind: 'started'; readonly seq: Seq }
  | { readonly kind: 'note'; readonly note: FollowerNote }
  | { readonly kind: 'finished'; readonly seq: Seq }
  /** It ended by a fault; the history answers ENGINE_DOWN from now on. */
  | {
      readonly kind: 'failed'
      readonly fault: string
      readonly message: string
      /** For want of room: the same start may do once there is some. */
      readonly isFull?: boolean
      readonly stack: string | undefined
    }
