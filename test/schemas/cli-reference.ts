/**
 * The tables of commands in docs/reference/cli-admin.md: words and options of each, generated from the
 * operations' rows. `npm run schemas` writes them into the page, beside the page's own text of each command.
 */
import type { AdminCommand, Field } from '../../src/cli/admin/command.ts'
import { ADMIN_COMMANDS } from '../../src/cli/admin/sections.ts'

const PLACEHOLDERS = { text: 'TEXT', integer: 'N', switch: 'on|off', list: 'A,B' } as const

/** The page with each command as its row states it; throws if a command has no line, or two. */
export function withCommands(page: string): string {
  return ADMIN_COMMANDS.reduce((text, command) => {
    const line = new RegExp(`^\\| \`${command.name}(?![\\w-])(?: [<[-][^\`]*)?\``, 'gm')
    const found = text.match(line)?.length ?? 0
    if (found !== 1) throw new Error(`expected one line of cli-admin.md for ${command.name}, found ${found}`)
    return text.replace(line, () => `| \`${synopsis(command).replaceAll('|', '\\|')}\``)
  }, page)
}

/** An option in `[]` is optional. */
function synopsis({ name, positionals, options, show }: AdminCommand): string {
  const words = positionals.map(({ field }) => `<${field}>`)
  const out = show === undefined ? ['[--out FILE]'] : []
  return [name, ...words, ...Object.entries(options).map(option), ...out].join(' ')
}

function option([name, { kind, required }]: [string, Field]): string {
  const text = `--${name} ${PLACEHOLDERS[kind]}`
  return required ? text : `[${text}]`
}
