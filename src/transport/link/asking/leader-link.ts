/**
 * Finds the leading engine of a cluster and opens a link to it. All engines are queried at once, and the
 * first one that leads is used. An engine with an epoch before the newest epoch seen so far is not used: it
 * was deposed and has not noticed yet. A machine that has vanished sends no answer; while this end waits for
 * it, the engines that have answered are queried again, since one of them leads next.
 */
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import type { LinkAddress } from '../protocol/link-address.ts'
import { LinkFault, type LinkFaultKind } from '../protocol/link-fault.ts'
import { type Link, type LinkOptions, openLink } from './link-client.ts'

/** An engine, with its name in the cluster. */
export type NamedAddress = { readonly name: string; readonly address: LinkAddress }

export type LeaderLinkOptions = Omit<LinkOptions, 'address'> & {
  /** At least one. */
  readonly engines: readonly NamedAddress[]
  /** An engine with an earlier epoch is not used. */
  readonly epochMin: number
}

/** The pause before an engine that does not lead is queried again while another has not answered yet. */
const ASK_AGAIN_MS = 200

/** Answers of an engine that may soon lead. */
const PASSING: readonly LinkFaultKind[] = ['NOT_LEADER', 'UNREACHABLE', 'REFUSED']

/** Answers when there is no leader, the most informative first: the first few need an operator. */
const TELLING: readonly LinkFaultKind[] = [
  'WITNESS',
  'WRONG_SECRET',
  'WRONG_VERSION',
  'FORBIDDEN',
  'NOT_LEADER',
  'REFUSED',
]

/** Rejects with the most informative `LinkFault`; its message includes the answer of each engine. */
export async function openLeaderLink({ engines, epochMin, ...options }: LeaderLinkOptions): Promise<Link> {
  const taken = Promise.withResolvers<Link>()
  const { scheduler = runtimeScheduler } = options
  let isTaken = false
  let unanswered = engines.length
  const ask = async (engine: NamedAddress): Promise<LinkFault | undefined> => {
    let fault = await askOnce(engine)
    unanswered--
    while (fault !== undefined && PASSING.includes(fault.kind) && unanswered > 0 && !isTaken) {
      await new Promise<void>((resolve) => scheduler.later(resolve, ASK_AGAIN_MS))
      if (unanswered > 0 && !isTaken) fault = await askOnce(engine)
    }
    return fault
  }
  const askOnce = async ({ name, address }: NamedAddress): Promise<LinkFault | undefined> => {
    try {
      const link = await openLink({ ...options, address })
      const { epoch } = link.welcome
      if (isTaken || epoch < epochMin) {
        link.close()
        return new LinkFault(
          'NOT_LEADER',
          `${name}: it leads in epoch ${epoch}, but epoch ${epochMin} was already seen`,
        )
      }
      isTaken = true
      taken.resolve(link)
      return undefined
    } catch (cause) {
      if (cause instanceof LinkFault) return new LinkFault(cause.kind, `${name}: ${cause.message}`, { cause })
      throw cause
    }
  }
  const refusals = Promise.all(engines.map(ask)).then((faults) => {
    const found = faults.filter((fault) => fault !== undefined)
    if (found.length === faults.length) throw mostTelling(found)
    return taken.promise
  })
  return Promise.race([taken.promise, refusals])
}

function mostTelling(faults: readonly LinkFault[]): LinkFault {
  const kind = TELLING.find((each) => faults.some((fault) => fault.kind === each)) ?? 'UNREACHABLE'
  return new LinkFault(kind, faults.map(({ message }) => message).join('; '))
}
