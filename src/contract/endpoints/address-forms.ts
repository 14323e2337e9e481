/** The forms of a withdrawal address and of its memo, in requests and answers. */

export const ADDRESS = { pattern: /^[!-~]{1,128}$/, doc: 'Where money goes: visible ASCII characters.' }
export const ADDRESS_TAG = {
  pattern: /^[!-~]{0,64}$/,
  doc: 'The memo or destination tag of the address, where it has one.',
}
