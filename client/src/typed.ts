import type { Methods } from './generated/methods.ts';
import type { SendRequest } from './generated/types.ts';
import type { SendMany } from './send-many.ts';

/** Of notification types that are not known: any type, with any parameters. */
export type AnyNotifications = Record<string, Record<string, unknown>>;

type Typed = 'type' | 'notificationId' | 'parameters' | 'mergeTags';
/** Each alternative without the fields that a type determines. */
type Untyped<R> = R extends unknown ? Omit<R, Typed> : never;
type ParametersOf<P> = object extends P ? { parameters?: P } : { parameters: P };

/** A request of the type `T`, with the parameters that `N` has for it. */
export type RequestOf<N, T extends keyof N> = Untyped<SendRequest> & { type: T } & ParametersOf<N[T]>;
/** A request of any of the types. */
export type AnyRequestOf<N> = { [T in keyof N]: RequestOf<N, T> }[keyof N];

type Rest<F> = F extends (body: never, ...rest: infer R) => unknown ? R : never;
type BodyOf<F> = F extends (body: infer B, ...rest: never) => unknown ? B : never;
type Direct<N, F extends (...args: never) => unknown> = (
  body: Omit<BodyOf<F>, 'type'> & { type: keyof N },
  ...rest: Rest<F>
) => ReturnType<F>;

type TypedSends<N> = {
  send<T extends keyof N>(body: RequestOf<N, T>, ...rest: Rest<Methods['send']>): ReturnType<Methods['send']>;
  sendBulk(
    body: { notifications: AnyRequestOf<N>[] },
    ...rest: Rest<Methods['sendBulk']>
  ): ReturnType<Methods['sendBulk']>;
  sendMany(
    notifications: readonly AnyRequestOf<N>[],
    ...rest: Rest<SendMany['sendMany']>
  ): ReturnType<SendMany['sendMany']>;
  sendEmail: Direct<N, Methods['sendEmail']>;
  sendSms: Direct<N, Methods['sendSms']>;
};

/** The client; with the types that `npm run templates -- types` writes, no other type and no other parameter compiles. */
export type Client<N extends object = AnyNotifications> = string extends keyof N
  ? SendMany & Methods
  : Omit<SendMany & Methods, keyof TypedSends<N>> & TypedSends<N>;
