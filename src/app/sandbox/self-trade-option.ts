/** The sandbox's command-line option for self-trade prevention. */
import { UsageError } from '../../cli/arguments.ts'
import { SELF_TRADE_MODES, type SelfTradeMode } from '../../units/order-enums.ts'

const NAME = '--self-trade'

/** The mode in a command line (undefined if there is none), and the rest of the line. Throws `UsageError`. */
export function selfTradeOption(line: readonly string[]): {
  readonly selfTradeMode: SelfTradeMode | undefined
  readonly others: readonly string[]
} {
  const others: string[] = []
  let selfTradeMode: SelfTradeMode | undefined
  for (let i = 0; i < line.length; i++) {
    const item = line[i] as string
    const [name, attached] = item.split('=', 2)
    if (name !== NAME) {
      others.push(item)
      continue
    }
    if (selfTradeMode !== undefined) throw new UsageError(`${NAME} is given twice`)
    selfTradeMode = readMode(attached ?? line[++i])
  }
  return { selfTradeMode, others }
}

function readMode(text: string | undefined): SelfTradeMode {
  const mode = SELF_TRADE_MODES.find((known) => known === text?.toUpperCase())
  if (mode !== undefined) return mode
  throw new UsageError(`${NAME} needs one of ${SELF_TRADE_MODES.join(', ')}, found ${text ?? 'nothing'}`)
}
