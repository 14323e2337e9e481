/**
 * `bourse completion`: scripts with which a shell completes commands and options, generated from the tables
 * that run them. They do not complete names stored in the node: nothing is queried during completion.
 */
import { type AdminCommand, OUT_OPTION, optionNames } from './admin/command.ts'
import { OUT_HELP } from './admin/help.ts'
import { EXIT_OK } from './admin/run.ts'
import { ADMIN_COMMANDS } from './admin/sections.ts'
import { parseArguments, refuseExtraWord, UsageError } from './arguments.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** The first words of the program. */
export const PROGRAM_WORDS = [
  'sandbox',
  'serve',
  'init',
  'admin',
  'top',
  'config',
  'cluster',
  'engine',
  'gateway',
  'historian',
  'customers',
  'standby',
  'completion',
  'verify',
  'replay',
  'journal',
  'backup',
  'restore',
  'repair',
  'rebuild',
  'archive',
  'report',
  'liabilities',
] as readonly string[]
/** Subcommands of `bourse cluster`. */
export const CLUSTER_WORDS = [
  'init',
  'check',
  'status',
  'import',
  'export',
  'repair',
  'accept-tail',
] as readonly string[]
/** Possible second words after a first word that needs one. */
export const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  report: ['statements', 'trades', 'fees', 'balances'],
  liabilities: ['prove', 'root', 'account'],
  sandbox: ['demo', 'clients', 'reset', 'grade'],
  standby: ['promote'],
}
const COMMON_OPTIONS = ['--data', '--json', '--actor', '--note', '--url', '--yes', '--help'] as const

const HELP = `bourse completion: print a completion script for a shell

Usage: bourse completion bash|zsh|fish

Examples:
  source <(bourse completion bash)
  bourse completion zsh > ~/.zsh/completions/_bourse
  bourse completion fish > ~/.config/fish/completions/bourse.fish`

type Printer = { readonly print: (text: string) => void }

export function runCompletion(line: readonly string[], host: Printer): number {
  const { words, options } = parseArguments(line, { help: 'flag' })
  const [shell, ...rest] = words
  if (options.has('help')) {
    host.print(HELP)
    return EXIT_OK
  }
  refuseExtraWord(rest[0])
  host.print(scriptFor(shell))
  return EXIT_OK
}

function scriptFor(shell: string | undefined): string {
  switch (shell) {
    case 'bash':
      return bash()
    case 'zsh':
      return `#compdef bourse\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`
    case 'fish':
      return fish()
    default:
      throw new UsageError(`completion needs one of ${SHELLS.join(', ')}`)
  }
}

/** The first word of every admin command, and the second words after each. */
function verbsByNoun(): Map<string, string[]> {
  const verbs = new Map<string, string[]>()
  for (const { name } of ADMIN_COMMANDS) {
    const [noun = '', verb] = name.split(' ')
    const known = verbs.get(noun) ?? []
    if (verb !== undefined) known.push(verb)
    verbs.set(noun, known)
  }
  return verbs
}

function optionsOf(command: AdminCommand): string {
  return [...optionNames(command).map((name) => `--${name}`), ...COMMON_OPTIONS].join(' ')
}

function bash(): string {
  const verbs = [...verbsByNoun()].filter(([, known]) => known.length > 0)
  const nouns = [...verbsByNoun().keys()].join(' ')
  const verbCases = verbs.map(([noun, known]) => `    ${noun}) words="${known.join(' ')}" ;;`)
  const subjectCases = Object.entries(SUBJECTS).map(
    ([word, subjects]) => `  ${word}) words="${subjects.join(' ')}" ;;`,
  )
  const optionCases = ADMIN_COMMANDS.map(
    (command) => `    "${command.name}") options="${optionsOf(command)}" ;;`,
  )
  return `_bourse() {
  local current=\${COMP_WORDS[COMP_CWORD]} words= options= noun= verb= word skip=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${PROGRAM_WORDS.join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${subjectCases.join('\n')}
  esac
  if [ "\${COMP_WORDS[1]}" = cluster ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "${CLUSTER_WORDS.join(' ')}" -- "$current"))
    else COMPREPLY=($(compgen -f -- "$current"))
    fi
    return
  fi
  if [ -n "$words" ]; then
    [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  [ "\${COMP_WORDS[1]}" = admin ] || return
  for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$word" in
    --json|--yes|--help) ;;
    --*=*) ;;
    --*) skip=1 ;;
    *) if [ -z "$noun" ]; then noun=$word; elif [ -z "$verb" ]; then verb=$word; fi ;;
    esac
  done
  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = --data ]; then
    COMPREPLY=($(compgen -d -- "$current"))
    return
  fi
  [ -n "$skip" ] && return
  if [ -z "$noun" ]; then words="${nouns}"; fi
  if [ -z "$verb" ]; then
    case "$noun" in
${verbCases.join('\n')}
    esac
  fi
  case "$noun $verb" in
${optionCases.map((line) => line.replace(/^ {4}"(\S+)"\)/, '    "$1 "*)')).join('\n')}
    *) options="${COMMON_OPTIONS.join(' ')}" ;;
  esac
  case "$current" in
  -*) words=$options ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _bourse bourse`
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\\\'")}'`
  const lines = ['complete -c bourse -f']
  lines.push(`complete -c bourse -n __fish_use_subcommand -a '${PROGRAM_WORDS.join(' ')}'`)
  for (const [word, subjects] of Object.entries(SUBJECTS))
    lines.push(`complete -c bourse -n '__fish_seen_subcommand_from ${word}' -a '${subjects.join(' ')}'`)
  const clusterWords = CLUSTER_WORDS.join(' ')
  const isCluster = `__fish_seen_subcommand_from cluster; and not __fish_seen_subcommand_from ${clusterWords}`
  lines.push(`complete -c bourse -n '${isCluster}' -a '${clusterWords}'`)
  const verbs = verbsByNoun()
  const nouns = [...verbs.keys()].join(' ')
  const isAdmin = '__fish_seen_subcommand_from admin'
  lines.push(`complete -c bourse -n '${isAdmin}; and not __fish_seen_subcommand_from ${nouns}' -a '${nouns}'`)
  for (const [noun, known] of verbs) {
    if (known.length === 0) continue
    const seen = `__fish_seen_subcommand_from ${noun}`
    const none = `not __fish_seen_subcommand_from ${known.join(' ')}`
    lines.push(`complete -c bourse -n '${isAdmin}; and ${seen}; and ${none}' -a '${known.join(' ')}'`)
  }
  for (const command of ADMIN_COMMANDS) {
    const { name, options } = command
    const seen = name.split(' ').map((word) => `; and __fish_seen_subcommand_from ${word}`)
    for (const [option, { help }] of Object.entries(options)) {
      lines.push(`complete -c bourse -n '${isAdmin}${seen.join('')}' -r -l ${option} -d ${quoted(help)}`)
    }
    if (command.show === undefined)
      lines.push(
        `complete -c bourse -n '${isAdmin}${seen.join('')}' -r -F -l ${OUT_OPTION} -d ${quoted(OUT_HELP)}`,
      )
  }
  lines.push(`complete -c bourse -n '${isAdmin}' -r -F -l data -d 'data directory of the node'`)
  for (const option of ['json', 'yes', 'help']) lines.push(`complete -c bourse -n '${isAdmin}' -l ${option}`)
  for (const option of ['actor', 'note', 'url'])
    lines.push(`complete -c bourse -n '${isAdmin}' -r -l ${option}`)
  return lines.join('\n')
}
