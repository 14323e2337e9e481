/**
 * A collection for Postman, in its format 2.1, generated from the table of endpoints: each request is signed
 * when it is sent.
 */

import { isSigned } from '../endpoints/reasons.ts'
import { hasForm, TAGS } from '../endpoints/row.ts'
import { ID, LIST_ID } from '../endpoints/trading.ts'
import { SANDBOX } from '../sandbox-address.ts'
import { allParameters, ENDPOINTS, type PublishedEndpoint } from './endpoints.ts'
import type { JsonSchema } from './json-schema.ts'

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * The script that Postman runs before each request: it writes the percent-encoded text of the query string or
 * form itself, so that the signed text is the sent text.
 */
const SIGNING = `const encode = (text) => encodeURIComponent(pm.variables.replaceIn(text))
const write = (list) => list.filter((each) => !each.disabled).map((each) => encode(each.key) + '=' + encode(String(each.value))).join('&')
pm.variables.set('now', String(Date.now()))
const body = pm.request.body
const form = body && body.mode === 'urlencoded' ? write(body.urlencoded.all()) : ''
const query = write(pm.request.url.query.all())
if (form !== '') {
  pm.request.body.update({ mode: 'raw', raw: form })
  pm.request.headers.upsert({ key: 'Content-Type', value: 'application/x-www-form-urlencoded' })
}
if (query !== '') pm.request.url.update(pm.request.url.toString().split('?')[0] + '?' + query)
const secret = pm.variables.get('secret')
if (secret) pm.request.headers.upsert({ key: 'X-Signature', value: CryptoJS.HmacSHA256(query + form, secret).toString() })`

/**
 * The script that Postman runs after each request: it stores the placed order, or the list and its first
 * order, for the next requests.
 */
const KEEPING = `const answer = pm.response.code === 200 ? pm.response.json() : {}
const placed = (answer.data && answer.data.newOrderResponse ? answer.data.newOrderResponse.data : answer.data) || {}
const order = placed.orders ? placed.orders[0] : placed
if (order.id) pm.collectionVariables.set('orderId', order.id)
if (placed.listId) pm.collectionVariables.set('listId', placed.listId)`

/** Endpoints that place something. */
const PLACING = new Set(['newOrder', 'replaceOrder', 'newOco', 'newOto', 'newOtoco'])

export function postmanCollection(): JsonSchema {
  return {
    info: {
      name: 'Bourse',
      schema: FORMAT,
      description:
        'The trading interface. Set baseUrl, apiKey and secret; every request is signed before it is sent. Requests about an order or a list ' +
        'use the one that was placed last: orderId and listId are kept from its answer.',
    },
    variable: [
      { key: 'baseUrl', value: `${SANDBOX}/api/v3` },
      { key: 'apiKey', value: '' },
      { key: 'secret', value: '' },
      { key: 'orderId', value: ID },
      { key: 'listId', value: LIST_ID },
    ],
    event: [event('prerequest', SIGNING)],
    item: Object.entries(TAGS).map(([name, description]) => ({
      name,
      description,
      item: ENDPOINTS.filter(({ tag }) => tag === name).map(item),
    })),
  }
}

function event(listen: 'prerequest' | 'test', script: string): JsonSchema {
  return { listen, script: { type: 'text/javascript', exec: script.split('\n') } }
}

function item(row: PublishedEndpoint): JsonSchema {
  const { method, path, security, summary } = row
  const fields = fieldsOf(row)
  const isForm = hasForm(row)
  const query = isForm ? [] : fields
  const shown = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`)
  return {
    name: summary,
    ...(PLACING.has(row.id) ? { event: [event('test', KEEPING)] } : {}),
    request: {
      method,
      header: security === 'NONE' ? [] : [{ key: 'X-Apikey', value: '{{apiKey}}' }],
      url: {
        raw: `{{baseUrl}}${path}${shown.length === 0 ? '' : `?${shown.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: path.split('/').slice(1),
        ...(query.length === 0 ? {} : { query }),
      },
      ...(isForm ? { body: { mode: 'urlencoded', urlencoded: fields } } : {}),
    },
  }
}

type Field = { readonly key: string; readonly value: string; readonly disabled?: true }

/** The parameters of the example are enabled, the others are listed and disabled. */
function fieldsOf(row: PublishedEndpoint): readonly Field[] {
  const { example, security } = row
  const names = Object.keys(allParameters(row).shape).filter((name) => name !== 'timestamp')
  const fields = names.map((key): Field => {
    const value = example[key]
    return value === undefined ? { key, value: '', disabled: true } : { key, value: carried(String(value)) }
  })
  const isTimed = isSigned(security) || security === 'USER_DATA'
  return isTimed ? [...fields, { key: 'timestamp', value: '{{now}}' }] : fields
}

/** Replaces the ids in the examples with those of the order and the list placed last. */
function carried(value: string): string {
  return value.replaceAll(ID, '{{orderId}}').replaceAll(LIST_ID, '{{listId}}')
}
