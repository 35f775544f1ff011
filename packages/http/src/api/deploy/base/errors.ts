import { Schema } from "effect"

const message = { message: Schema.String }

/** 401: the request has no valid token. */
export class UnauthenticatedBody extends Schema.Error<UnauthenticatedBody>("UnauthenticatedBody")(
  { _tag: Schema.tagDefaultOmit("UnauthenticatedBody"), ...message },
  { httpApiStatus: 401, description: "The request has no valid token." }
) {}

/** 403: the token does not have the ability (scope) that the request needs. */
export class ForbiddenBody extends Schema.Error<ForbiddenBody>("ForbiddenBody")(
  { _tag: Schema.tagDefaultOmit("ForbiddenBody"), ...message },
  { httpApiStatus: 403, description: "The token lacks an ability." }
) {}

/** 400: the request is invalid; `errors` names every invalid field. */
export class BadRequestBody extends Schema.Error<BadRequestBody>("BadRequestBody")(
  {
    _tag: Schema.tagDefaultOmit("BadRequestBody"),
    ...message,
    errors: Schema.Record(Schema.String, Schema.Array(Schema.String))
  },
  { httpApiStatus: 400, description: "The request is invalid; `errors` names every invalid field." }
) {}

/** 404: the resource of the path doesn't exist. */
export class NotFoundBody extends Schema.Error<NotFoundBody>("NotFoundBody")(
  { _tag: Schema.tagDefaultOmit("NotFoundBody"), ...message },
  { httpApiStatus: 404, description: "The resource in the path does not exist." }
) {}

/** 409: a name is taken, or a resource is still in use. */
export class ConflictBody extends Schema.Error<ConflictBody>("ConflictBody")(
  { _tag: Schema.tagDefaultOmit("ConflictBody"), ...message },
  { httpApiStatus: 409, description: "The name is taken, or the resource is in use." }
) {}

/** 409: an omitted field is ambiguous, because several resources match; `choices` lists them for each field. */
export class ChoicesBody extends Schema.Error<ChoicesBody>("ChoicesBody")(
  {
    _tag: Schema.tagDefaultOmit("ChoicesBody"),
    ...message,
    choices: Schema.Record(Schema.String, Schema.Array(Schema.Struct({ uuid: Schema.String, name: Schema.String })))
  },
  { httpApiStatus: 409, description: "Several resources fit an omitted field." }
) {}

/** 413: the body is larger than the limit. */
export class TooLargeBody extends Schema.Error<TooLargeBody>("TooLargeBody")(
  { _tag: Schema.tagDefaultOmit("TooLargeBody"), ...message },
  { httpApiStatus: 413, description: "The body exceeds the size limit." }
) {}

/** 431: the request headers are larger than the limit. */
export class HeadTooLargeBody extends Schema.Error<HeadTooLargeBody>("HeadTooLargeBody")(
  { _tag: Schema.tagDefaultOmit("HeadTooLargeBody"), ...message },
  { httpApiStatus: 431, description: "The head of the request exceeds the size limit." }
) {}

/** 429: a concurrency limit is reached; `Retry-After` is the number of seconds until a retry. */
export class TooManyRequestsBody extends Schema.Error<TooManyRequestsBody>("TooManyRequestsBody")(
  { _tag: Schema.tagDefaultOmit("TooManyRequestsBody"), ...message },
  { httpApiStatus: 429, description: "A limit is reached; `Retry-After` says when to retry." }
) {}

/** 502: a server of the platform does not respond; the message contains the reason. */
export class BadGatewayBody extends Schema.Error<BadGatewayBody>("BadGatewayBody")(
  { _tag: Schema.tagDefaultOmit("BadGatewayBody"), ...message },
  { httpApiStatus: 502, description: "A server does not answer; the message has the reason." }
) {}

/** 409: domains are used by other applications (spec "Domain conflict record"). */
export class DomainConflictsBody extends Schema.Error<DomainConflictsBody>("DomainConflictsBody")(
  {
    _tag: Schema.tagDefaultOmit("DomainConflictsBody"),
    ...message,
    warning: Schema.String,
    conflicts: Schema.Array(
      Schema.Struct({
        domain: Schema.String,
        resource_name: Schema.String,
        resource_uuid: Schema.NullOr(Schema.String),
        resource_type: Schema.Literals(["application", "service", "instance"]),
        message: Schema.String
      })
    )
  },
  { httpApiStatus: 409, description: "Other resources use the domains." }
) {}

/** The errors of every endpoint that reads a body. */
export const bodyErrors = [BadRequestBody, TooLargeBody] as const

/** The errors of every endpoint that needs a token. */
export const guardErrors = [UnauthenticatedBody, ForbiddenBody, HeadTooLargeBody] as const

/** The errors of every endpoint with signed bodies. */
export const signatureErrors = [UnauthenticatedBody, NotFoundBody, TooLargeBody] as const
