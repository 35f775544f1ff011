/** What the fork server is asked: to start a program, whose ends of pipes come as connections in their order, or to send it a signal. */
export type Asked =
  | {
      readonly id: number
      readonly program: string
      readonly args: ReadonlyArray<string>
      readonly environment: Readonly<Record<string, string>>
      readonly isDetached: boolean
      readonly pipes: number
    }
  | { readonly id: number; readonly signal: NodeJS.Signals }

/** What the fork server tells: where it takes connections, and how a program ended or why it didn't start. */
export type Told =
  | { readonly path: string }
  | { readonly id: number; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: number; readonly code: string; readonly errno: number; readonly message: string }
