/**
 * The audit trail, newest first: it is searched by actor, kind, account, time and any text, read page by page
 * into the past, and saved as a file.
 */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { AdminAuditPage } from '../../../contract/admin/audit.ts'
import { saveFile } from '../../shared/save-file.ts'
import { auditCsv } from '../state/audit-csv.ts'
import { AuditPages } from '../state/audit-pages.ts'
import { ANYTHING, findAll, SEARCH_FIELDS, searchOf, type TypedSearch } from '../state/audit-search.ts'
import { timeText } from '../state/notation.ts'
import type { PageSession, Refused } from '../state/page-session.ts'
import { say, type Text } from '../texts/texts.ts'
import { Actions } from './parts/actions.tsx'
import { useAsked } from './parts/asked.ts'
import { Labelled, Pager, Panel, Problem, SearchButtons, Shown } from './parts/parts.tsx'

const PAGE = 50
/**
 * Maximum number of commands in one file of a few megabytes. A longer period is saved in parts, by setting
 * from and to.
 */
const FILE_MAX = 20_000
const FILE_PAGE = 500

export function AuditView({ session }: { readonly session: PageSession }) {
  const pages = useMemo(() => new AuditPages((request) => session.ask('audit/find', request)), [session])
  const { typed, before } = pages
  const search = searchOf(typed)
  const trail = useAsked(session, 'audit/find', {
    ...search,
    limit: PAGE,
    ...(before === undefined ? {} : { before }),
  })
  return (
    <div class="stack">
      <Search onSearch={(wanted) => pages.search(wanted)} />
      <Panel
        title={before === undefined ? 'Newest' : say('Before command {number}', { number: before })}
        actions={<SaveButton key={JSON.stringify(typed)} session={session} search={typed} />}
      >
        <Shown asked={trail}>
          {({ actions, next, lookedBackTo }) => (
            <>
              <Actions label="Audit trail" actions={actions} />
              <Looked page={{ actions, next, lookedBackTo }} />
              <Pager
                back="Newer"
                on={actions.length < PAGE && next !== null ? 'Search further back' : 'Older'}
                onBack={before === undefined ? undefined : () => pages.back()}
                onOn={next === null ? undefined : () => void pages.goOn(next)}
              />
            </>
          )}
        </Shown>
      </Panel>
    </div>
  )
}

const LABELS: { readonly [Name in keyof TypedSearch]: Text } = {
  actor: 'Who',
  kind: 'Command, for example Credit',
  account: 'Account',
  from: 'From, UTC',
  to: 'To, UTC',
  text: 'Any text',
}

function Search({ onSearch }: { readonly onSearch: (typed: TypedSearch) => void }) {
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const typed = SEARCH_FIELDS.map((field) => [field, String(form.get(field) ?? '')] as const)
          onSearch({ ...ANYTHING, ...Object.fromEntries(typed) })
        }}
        onReset={() => onSearch(ANYTHING)}
      >
        {SEARCH_FIELDS.map((field) => (
          <Labelled key={field} label={LABELS[field]}>
            {(id) => (
              <input
                id={id}
                name={field}
                type={field === 'from' || field === 'to' ? 'datetime-local' : 'text'}
                autocomplete="off"
                spellcheck={false}
              />
            )}
          </Labelled>
        ))}
        <SearchButtons />
      </form>
    </search>
  )
}

/** A page that is not full although more commands match: the search has not gone further yet. */
function Looked({ page: { actions, next, lookedBackTo } }: { readonly page: AdminAuditPage }) {
  if (next === null || actions.length >= PAGE) return null
  return (
    <p class="help" role="status">
      {say('Searched back to {time} UTC. Found so far: {count}. There are older commands.', {
        ...{ time: timeText(lookedBackTo), count: actions.length },
      })}
    </p>
  )
}

function SaveButton({ session, search }: { readonly session: PageSession; readonly search: TypedSearch }) {
  const state = useSignal<'' | 'under way' | 'cut'>('')
  const problem = useSignal<Refused | undefined>(undefined)
  const save = async () => {
    if (state.value === 'under way') return
    state.value = 'under way'
    const ask = (request: object) => session.ask('audit/find', request)
    const found = await findAll(ask, searchOf(search), FILE_MAX, FILE_PAGE)
    problem.value = found.ok ? undefined : found.error
    state.value = found.ok && found.result.isCut ? 'cut' : ''
    if (found.ok)
      saveFile({ name: 'audit-trail.csv', type: 'text/csv', parts: [auditCsv(found.result.actions)] })
  }
  return (
    <>
      {state.value === 'cut' && (
        <span class="help" role="status">
          {say('The file has the newest {count} commands. To save older ones, set “To, UTC”.', {
            count: FILE_MAX.toLocaleString('en-US'),
          })}
        </span>
      )}
      {problem.value !== undefined && <Problem {...problem.value} />}
      <button type="button" aria-disabled={state.value === 'under way'} onClick={() => void save()}>
        {state.value === 'under way' ? say('Saving …') : say('Save as CSV')}
      </button>
    </>
  )
}
