declare module "@primer/octicons" {
  interface Octicon {
    readonly heights: Readonly<Record<string, { readonly path: string }>>
  }
  const octicons: Readonly<Record<string, Octicon>>
  export default octicons
}
