/** The audit trail, newest first: by whom, of which kind, and page by page into the past. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { PageSession } from '../client/page-session.ts'
import { Actions } from './actions.tsx'
import { useAsked } from './asked.ts'
import { Panel, Shown } from './parts.tsx'

const PAGE = 50

export function AuditView({ session }: { readonly session: PageSession }) {
  const [whoId, kindId] = [useId(), useId()]
  const wanted = useSignal({ who: '', kind: '' })
  const pages = useSignal<readonly number[]>([])
  const { who, kind } = wanted.value
  const before = pages.value.at(-1)
  const trail = useAsked(session, 'audit/list', {
    limit: PAGE,
    ...(before === undefined ? {} : { before }),
    ...(who === '' ? {} : { actor: who }),
    ...(kind === '' ? {} : { kind }),
  })
  return (
    <div class="stack">
      <search>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            pages.value = []
            wanted.value = { who: String(form.get('who')).trim(), kind: String(form.get('kind')).trim() }
          }}
        >
          <div class="field">
            <label for={whoId}>Who</label>
            <input id={whoId} name="who" autocomplete="off" spellcheck={false} />
          </div>
          <div class="field">
            <label for={kindId}>What, for example Credit</label>
            <input id={kindId} name="kind" autocomplete="off" spellcheck={false} />
          </div>
          <button type="submit" class="primary">
            Search
          </button>
        </form>
      </search>
      <Panel title={before === undefined ? 'The newest' : `Before command ${before}`}>
        <Shown asked={trail}>
          {(actions) => (
            <>
              <Actions label="Audit trail" actions={actions} />
              <div class="row">
                <button
                  type="button"
                  disabled={pages.value.length === 0}
                  onClick={() => {
                    pages.value = pages.value.slice(0, -1)
                  }}
                >
                  Newer
                </button>
                <button
                  type="button"
                  disabled={actions.length < PAGE}
                  onClick={() => {
                    const last = actions.at(-1)
                    if (last !== undefined) pages.value = [...pages.value, last.seq]
                  }}
                >
                  Older
                </button>
              </div>
            </>
          )}
        </Shown>
      </Panel>
    </div>
  )
}
