/** Where `npm start` serves a sandbox. The published documents name it; a node that serves them puts its own address there (`src/app/node/page/own-address.ts`). */
export const SANDBOX_HOST = '127.0.0.1:8080'

export const SANDBOX = `http://${SANDBOX_HOST}`
