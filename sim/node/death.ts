/** The cause of a node's death, and whether a fault of the simulation explains it. */

/** A disk that fails, or is full at a stop; an order that crashes the machine. */
const EXPLAINED = /input\/output error|history: no room|this order breaks the machine/
/** The error of a follower whose engine ended: it does not state the cause. */
const ENGINE_DEATH = /the engine sends no more batches/

/** A node, or the start of one, that rejects when a part fails. */
export type FailingNode = {
  readonly failed: Promise<unknown>
  readonly engineEnded: Promise<unknown>
}

/**
 * Resolves with the cause when the node ends. If a follower reports the engine's end before the engine does,
 * waits for the engine's own report.
 */
export async function causeOfDeath({ failed, engineEnded }: FailingNode): Promise<unknown> {
  const reported = await causeOf(failed)
  return ENGINE_DEATH.test(messageOf(reported)) ? await causeOf(engineEnded) : reported
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
