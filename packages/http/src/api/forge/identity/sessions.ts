import { EmailAddress, NewPassword } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { all, create, done, edit, endpoints, list, raw, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { Moment, optionalNullable, text, UserName } from "../base/schemas.ts"

/** A browser session of the signed-in user. */
export const Session = Schema.Struct({
  id: Schema.Int,
  /** Whether the request was sent with this session. */
  current: Schema.Boolean,
  user_agent: Schema.String,
  address: Schema.String,
  created_at: Moment,
  expires_at: Schema.NullOr(Moment),
  last_used_at: Schema.NullOr(Moment)
}).annotate({ identifier: "Session" })

/** An OAuth2 application that the user has authorized. */
export const AuthorizedApplication = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  client_id: Schema.String,
  scopes: Schema.Array(Schema.String)
}).annotate({ identifier: "AuthorizedApplication" })

/** A user's identity at an external sign-in provider. */
export const OutsideIdentity = Schema.Struct({
  id: Schema.Int,
  issuer: Schema.String,
  subject: Schema.String,
  created_at: Moment
}).annotate({ identifier: "OutsideIdentity" })

/** The request body that changes a password. */
export const ChangePasswordOption = Schema.Struct({
  password: NewPassword,
  end_tokens: optionalNullable(Schema.Boolean),
  end_sessions: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "ChangePasswordOption" })

/** The request body that creates an account. */
export const SignUpOption = Schema.Struct({
  username: UserName,
  email: EmailAddress,
  password: NewPassword,
  full_name: optionalNullable(text(100))
}).annotate({ identifier: "SignUpOption" })

/** An account created by self-registration. */
export const SignedUpAccount = Schema.Struct({
  id: Schema.Int,
  login: Schema.String,
  email: Schema.String,
  active: Schema.Boolean.annotate({ description: "False until an administrator activates the account." }),
  confirmation_sent: Schema.Boolean.annotate({
    description: "Whether the account can be used only after the link of a confirmation email was followed."
  })
}).annotate({ identifier: "SignedUpAccount" })

/** The request body that requests a password reset email. */
export const PasswordResetOption = Schema.Struct({ email: text(254) }).annotate({ identifier: "PasswordResetOption" })

/** The request body that sets a new password. */
export const FinishPasswordResetOption = Schema.Struct({
  code: text(255).annotate({ description: "The code of the link in the email." }),
  password: NewPassword
}).annotate({ identifier: "FinishPasswordResetOption" })

/** The endpoints of the signed-in user's sessions, password and authorized OAuth2 applications. */
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
