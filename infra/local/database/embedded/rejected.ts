/** A request that DynamoDB rejects. `type` is the name of its error. */
export class Rejected extends Error {
  readonly type: string;
  readonly more: object;

  constructor(type: string, message: string, more: object = {}) {
    super(message);
    this.type = type;
    this.more = more;
  }
}

/** A request that breaks a rule of DynamoDB's API. */
export function invalid(message: string): Rejected {
  return new Rejected('ValidationException', message);
}

/** The same, in the form that most rules about values have. */
export function invalidValues(reason: string): Rejected {
  return invalid(`One or more parameter values were invalid: ${reason}`);
}

/** A request whose JSON has another shape than the API. */
export function unreadable(message: string): Rejected {
  return new Rejected('SerializationException', message);
}
