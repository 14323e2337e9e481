/**
 * Finds the engine that leads among those of a cluster and opens a link to it: all are asked at once, and the first that leads is taken, but none whose
 * epoch is before one that was seen already: that one was followed, and does not know yet. A machine that has vanished answers nothing; while it is
 * waited for, those that have answered are asked again, since one of them is who leads next.
 */
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import type { LinkAddress } from '../protocol/link-address.ts'
import { LinkFault, type LinkFaultKind } from '../protocol/link-fault.ts'
import { type Link, type LinkOptions, openLink } from './link-client.ts'

/** An engine, by the name that it has in its cluster. */
export type NamedAddress = { readonly name: string; readonly address: LinkAddress }

export type LeaderLinkOptions = Omit<LinkOptions, 'address'> & {
  /** At least one. */
  readonly engines: readonly NamedAddress[]
  /** No engine of an epoch before this one is taken. */
  readonly epochMin: number
}

/** Before an engine that does not lead is asked again, while another has not answered yet. */
const ASK_AGAIN_MS = 200

/** What an engine may say that soon leads. */
const PASSING: readonly LinkFaultKind[] = ['NOT_LEADER', 'UNREACHABLE', 'REFUSED']

/** What is said where there is no leader, the most telling first: an operator is needed for the first few. */
const TELLING: readonly LinkFaultKind[] = [
  'WITNESS',
  'WRONG_SECRET',
  'WRONG_VERSION',
  'FORBIDDEN',
  'NOT_LEADER',
  'REFUSED',
]

/** Rejects with the most telling `LinkFault`, whose message has what each engine said. */
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
          `${name}: it leads in epoch ${epoch}, and ${epochMin} was seen already`,
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
