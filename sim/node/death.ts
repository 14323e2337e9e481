/** What a node has died of, and whether a fault of the simulation explains it. */
import type { NodeExchange } from '../../src/app/node/exchange.ts'

/** A disk that fails, or is full at a stop; an order that breaks the machine. */
const EXPLAINED = /input\/output error|history: no room|this order breaks the machine/
/** What a follower dies of when its engine is dead: that says nothing of what the engine has died of. */
const ENGINE_DEATH = /the engine gives no more batches/

/** A node, or the start of one, that rejects when a part has failed. */
export type Mortal = {
  readonly failed: Promise<unknown>
  readonly engine: Pick<NodeExchange['engine'], 'ended'>
}

/**
 * Resolves with the cause when the node has died. A follower's report of its engine's death may come before the engine's
 * own: then that is waited for.
 */
export async function causeOfDeath({ failed, engine }: Mortal): Promise<unknown> {
  const reported = await causeOf(failed)
  return ENGINE_DEATH.test(messageOf(reported)) ? await causeOf(engine.ended) : reported
}

export function isExplainedDeath(cause: unknown): boolean {
  return EXPLAINED.test(messageOf(cause))
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function causeOf(end: Promise<unknown>): Promise<unknown> {
  return end.then(
    () => 'it has ended in good order',
    (cause: unknown) => cause,
  )
}
