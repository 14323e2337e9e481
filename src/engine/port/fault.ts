/**
 * The reasons why an engine, or a history beside it, did not answer: the same for all callers and all
 * transports.
 */

/**
 * With `OUTCOME_UNKNOWN` the command may have been carried out; with any other it certainly was not. A kind's
 * index is its code between threads.
 */
export const ENGINE_FAULT_KINDS = [
  'STARTING',
  'STOPPING',
  'OVERLOADED',
  'STORAGE_FULL',
  'ENGINE_DOWN',
  'OUTCOME_UNKNOWN',
  'CLOCK_NOT_TRUSTED',
  'DEADLINE_PASSED',
  'ORDER_RATE_LIMITED',
  'NO_LEADER',
] as const

export type EngineFaultKind = (typeof ENGINE_FAULT_KINDS)[number]

/** The engine could not do or answer something. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly kind: EngineFaultKind

  constructor(kind: EngineFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
