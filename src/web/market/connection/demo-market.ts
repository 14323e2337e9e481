/**
 * The switch for a sandbox's demo market. A sandbox offers it only to users on its own machine, by a mark in
 * the page that it serves to them.
 */
import { TEXTS } from '../../shared/texts/texts.ts'

const SWITCH_PATH = '/sandbox/market'

/** Whether this page may start and stop the demo market. */
export function isDemoOffered(): boolean {
  return document.body.dataset.sandbox !== undefined
}

/** Whether the demo market is running. Rejects if the node does not answer. */
export async function fetchDemoState(): Promise<boolean> {
  return stateOf(await fetch(SWITCH_PATH))
}

/**
 * Starts or stops the demo market; resolves with whether it is running afterwards. Rejects if the node does
 * not answer.
 */
export async function switchDemo(isRunning: boolean): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' }
  return stateOf(await fetch(SWITCH_PATH, { method: 'POST', headers, body: JSON.stringify({ isRunning }) }))
}

async function stateOf(response: Response): Promise<boolean> {
  const body = (await response.json()) as { readonly isRunning?: boolean; readonly error?: string }
  if (typeof body.isRunning === 'boolean') return body.isRunning
  throw new Error(body.error ?? TEXTS.page.nodeAnswered(response.status))
}
