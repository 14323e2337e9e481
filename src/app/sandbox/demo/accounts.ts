/** The accounts of the demo's traders, and where their keys are kept. */

/** A file beside `sandbox.json`, readable only by its owner: a restarted demo has the same accounts. */
export const DEMO_FILE = 'demo.json'

export const DEMO_MAKERS = ['demo-maker-1', 'demo-maker-2'] as const
export const DEMO_TAKERS = ['demo-taker-1', 'demo-taker-2', 'demo-taker-3'] as const
export const DEMO_ACCOUNTS: readonly string[] = [...DEMO_MAKERS, ...DEMO_TAKERS]
