/** Help texts of the operator's commands, generated from the tables that run them. */

import { facts } from '../table.ts'
import { type AdminCommand, type CommandSection, type Field, OUT_OPTION } from './command.ts'

const COMMON = [
  ['--data DIR', 'data directory of the node; default: DATA_DIR in the environment'],
  ['--json', 'print the answer as JSON'],
  ['--actor NAME', 'your name for the audit trail; default: your user name; a named token has its own name'],
  ['--note TEXT', 'reason for the audit trail'],
  ['--yes', 'do not ask for confirmation'],
  ['--url URL', 'address of the admin server, with a named token in BOURSE_ADMIN_TOKEN [BOURSE_ADMIN_URL]'],
  ['--help', 'show this help'],
] as const

/** Help text of the option of commands with a text answer. */
export const OUT_HELP = 'output file, which appears only when it is complete; default: standard output'

export function overview(sections: readonly CommandSection[]): string {
  const all = sections.flatMap(({ commands }) => commands)
  const width = Math.max(...all.map((each) => usage(each, false).length))
  return [
    "bourse admin: operators' commands to a running node",
    '',
    'Usage: bourse admin --data DIR <command> [arguments] [options]',
    '',
    ...sections.flatMap(({ title, commands }) => [
      `${title}:`,
      indent(facts(commands.map((each) => [usage(each, false).padEnd(width), each.summary]))),
      '',
    ]),
    'Options of every command:',
    indent(facts(COMMON)),
    '',
    `Help for one command: bourse admin ${all[0]?.name} --help`,
  ].join('\n')
}

export function helpOf(command: AdminCommand): string {
  const options = Object.entries(command.options).map(
    ([name, field]) => [`--${name} ${placeholder(field)}`, describe(field)] as const,
  )
  if (command.show === undefined) options.push([`--${OUT_OPTION} FILE`, OUT_HELP])
  const positionals = command.positionals.map((field) => [`<${field.field}>`, field.help] as const)
  return [
    command.summary,
    '',
    `Usage: bourse admin --data DIR ${usage(command, true)}`,
    '',
    ...section('Arguments:', positionals),
    ...section('Options:', options),
    ...section('Options of every command:', COMMON),
    'Examples:',
    indent(command.examples.join('\n')),
  ].join('\n')
}

function section(title: string, pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.length === 0 ? [] : [title, indent(facts(pairs)), '']
}

function usage(command: AdminCommand, withOptions: boolean): string {
  const positionals = command.positionals.map((field) => ` <${field.field}>`).join('')
  if (!withOptions) return `${command.name}${positionals}`
  const required = Object.entries(command.options)
    .filter(([, field]) => field.required)
    .map(([name, field]) => ` --${name} ${placeholder(field)}`)
    .join('')
  return `${command.name}${positionals}${required} [options]`
}

function placeholder({ kind, values }: Field): string {
  if (values !== undefined && kind === 'text') return values.join('|')
  return { text: 'TEXT', integer: 'N', switch: 'on|off', list: 'A,B' }[kind]
}

function describe({ help, required }: Field): string {
  return required ? `${help} (required)` : help
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
