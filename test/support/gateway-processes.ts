/** The processes of a node's gateways, as the operating system lists them. */
import { readFileSync } from 'node:fs'
import type { BourseProcess } from './bourse-process.ts'

/** Each request opens a connection of its own, which the system may assign to any gateway. */
export const ALONE = { keepalive: false, headers: { Connection: 'close' } }

/** The command line of a process; '' if it has ended. */
export function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

export function gatewaysOf(node: BourseProcess): number[] {
  const children = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  const below = (pid: number): number[] => children(pid).flatMap((child) => [child, ...below(child)])
  return below(node.child.pid).filter((pid) => argumentsOf(pid).includes('gateway-process'))
}

/** Number of occurrences of `words` in a log. */
export function count({ err }: BourseProcess, words: string): number {
  return err.split(words).length - 1
}
