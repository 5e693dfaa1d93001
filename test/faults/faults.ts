/** The kind of an outgoing call, which decides the faults it can have. */
export type CallKind = 'storage' | 'queue' | 'provider' | 'delivery' | 'request';

/** The faults that a call of each kind may have, once. */
export const FAULTS = {
  /** `lost response`: it took effect, and the caller sees an error. `stall`: it takes twenty seconds. */
  storage: ['error before', 'lost response', 'kill before', 'kill after', 'throttle', 'stall'],
  queue: ['error before', 'lost response', 'kill before', 'kill after', 'throttle', 'stall'],
  /** `error after`: accepted, with an error as the provider's response. */
  provider: [
    ...['error before', 'lost response', 'error after', 'kill before', 'kill after', 'throttle', 'stall'],
  ],
  /** A batch of a queue or of the stream: delivered again, much later, or at a clock that jumped or is behind. */
  delivery: ['duplicate', 'late', 'clock jump', 'clock behind'],
  /** A client's request: sent again although it has a response. */
  request: ['duplicate'],
} as const satisfies Record<CallKind, readonly string[]>;

export type Fault =
  | (typeof FAULTS)['storage' | 'queue' | 'delivery' | 'request'][number]
  | 'error after'
  | 'kill before';

/** One fault at the call of that number. */
export type Planned = { at: number; fault: Fault };

/** A kind of call that fails for a while: its name begins with one of these. */
export type Outage = { names: readonly string[]; forMs: number };

const MINUTES_40 = 40 * 60_000;

/** Dependencies that may be down for a while during a scenario. */
export const OUTAGES = {
  'writes to logs': { names: ['table put EVENT'], forMs: MINUTES_40 },
  'the table': { names: ['table '], forMs: MINUTES_40 },
  'the queues': { names: ['send '], forMs: MINUTES_40 },
  /** Shorter than the tries of a call last. */
  'the providers': { names: ['provider '], forMs: 4 * 60_000 },
} as const satisfies Record<string, Outage>;

/** The dependencies of a delivery; each is down alone from the time the notification is accepted. */
export const PARTS = {
  'the rows of users': {
    names: ['table get USER', 'table batchGet USER', 'table queryAll USER'],
    forMs: MINUTES_40,
  },
  'the rows of accounts': {
    names: ['table get ACCOUNT ACCOUNT', 'table batchGet ACCOUNT'],
    forMs: MINUTES_40,
  },
  'types and templates': {
    names: ['table get ENV', 'table queryAll ENV', 'table get TEMPLATES', 'table queryAll TEMPLATES'],
    forMs: MINUTES_40,
  },
  'the keys': { names: ['unwrap a key'], forMs: MINUTES_40 },
  'the sockets': { names: ['socket '], forMs: MINUTES_40 },
} as const satisfies Record<string, Outage>;

/** The dependency that is down in a run. */
export type OutageName = keyof typeof OUTAGES | keyof typeof PARTS;
