import { EmailAddress, NewPassword } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { all, create, done, edit, endpoints, list, raw, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { Moment, optionalNullable, text, UserName } from "../base/schemas.ts"

/** A session: a browser with a signed-in user. */
export const Session = Schema.Struct({
  id: Schema.Int,
  /** Whether it is the session of this request. */
  current: Schema.Boolean,
  user_agent: Schema.String,
  address: Schema.String,
  created_at: Moment,
  expires_at: Schema.NullOr(Moment),
  last_used_at: Schema.NullOr(Moment)
}).annotate({ identifier: "Session" })

/** A program that a user has authorized to act for them. */
export const AuthorizedApplication = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  client_id: Schema.String,
  scopes: Schema.Array(Schema.String)
}).annotate({ identifier: "AuthorizedApplication" })

/** The identity of a user at another service that signs them in. */
export const OutsideIdentity = Schema.Struct({
  id: Schema.Int,
  issuer: Schema.String,
  subject: Schema.String,
  created_at: Moment
}).annotate({ identifier: "OutsideIdentity" })

/** The body that changes a password. */
export const ChangePasswordOption = Schema.Struct({
  password: NewPassword,
  end_tokens: optionalNullable(Schema.Boolean),
  end_sessions: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "ChangePasswordOption" })

/** The body that creates an account. */
export const SignUpOption = Schema.Struct({
  username: UserName,
  email: EmailAddress,
  password: NewPassword,
  full_name: optionalNullable(text(100))
}).annotate({ identifier: "SignUpOption" })

/** An account that a visitor created. */
export const SignedUpAccount = Schema.Struct({
  id: Schema.Int,
  login: Schema.String,
  email: Schema.String,
  active: Schema.Boolean.annotate({ description: "False until an administrator activates the account." }),
  confirmation_sent: Schema.Boolean.annotate({
    description: "Whether the account can be used only after the link of a confirmation email was followed."
  })
}).annotate({ identifier: "SignedUpAccount" })

/** The body that requests a password reset email. */
export const PasswordResetOption = Schema.Struct({ email: text(254) }).annotate({ identifier: "PasswordResetOption" })

/** The body that sets a new password. */
export const FinishPasswordResetOption = Schema.Struct({
  code: text(255).annotate({ description: "The code of the link in the email." }),
  password: NewPassword
}).annotate({ identifier: "FinishPasswordResetOption" })

/** The endpoints of sessions, the password, and the programs authorized by the signed-in user. */
export const sessionEndpoints = endpoints(
  "sessions",
  "Sign-up and password resets; sessions, the password and authorized applications of the signed-in user.",
  {
    "account.create": create(SignedUpAccount, { body: SignUpOption }),
    "account.password-reset.create": done({ body: PasswordResetOption }),
    "account.password-reset.finish": done({ body: FinishPasswordResetOption }),
    "account.session.list": list(Session),
    "account.session.create": raw({ status: 201, answer: Session }),
    "account.session.delete-all": remove(),
    "account.session.delete": remove(),
    "account.password.set": edit(Schema.Struct({ changed: Schema.Boolean }), { body: ChangePasswordOption }),
    "account.grant.list": all(AuthorizedApplication),
    "account.grant.delete": remove(),
    "account.identity.list": all(OutsideIdentity),
    "account.identity.delete": remove(),
    "admin.user.second-factor.delete": remove({ errors: [ConflictBody] })
  }
)
