/** The error response of a service: its status and its body. */
export class ServiceError<Status extends number = number, Body = unknown> extends Error {
  override readonly name = "ServiceError"
  readonly status: Status
  readonly body: Body

  constructor(status: Status, body: Body) {
    const said = (body as { readonly message?: unknown } | undefined)?.message
    super(typeof said === "string" ? said : `the service answered ${status}`)
    this.status = status
    this.body = body
  }
}

/** The error of a call that got no response or was aborted; `cause` is the reason. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"
  readonly status = undefined
}
