declare module "virtual:doctests" {
  const examples: ReadonlyArray<{ readonly name: string; readonly run: () => Promise<unknown> }>
  export default examples
}
