/** A style sheet that a module imports as text. */
declare module '*.css' {
  const text: string
  export default text
}
