import * as v from 'valibot';

const NUMBER = /^(?:\+[1-9]\d{6,14}|\d{3,8})$/;
const SENDER_ID = /^(?=.*[A-Za-z])[A-Za-z\d][A-Za-z\d &_+-]{0,10}$/;

/** True for an alphanumeric sender ID: 1 to 11 letters, digits, spaces and `& _ + -`, at least one of them a letter. */
export const isSenderId = (text: string) => SENDER_ID.test(text);

/** The requirement of a field with the sender of a text message. */
export const MUST_BE_SENDER =
  'must be a number of the account in E.164, such as +14155550123, a short code or a sender ID';

/** What an account sends text messages from, each to its countries (ISO 3166-1 alpha-2); without them, to all others. */
export const PhoneNumbers = v.pipe(
  v.array(
    v.object({
      number: v.pipe(
        v.string(),
        v.check(
          (text) => NUMBER.test(text) || isSenderId(text),
          'must be a number such as +14155550123, a short code, or a sender ID of at most 11 characters',
        ),
      ),
      countries: v.optional(
        v.pipe(
          v.array(
            v.pipe(
              v.string(),
              v.check((code) => /^[A-Z]{2}$/.test(code), 'must be a country code such as GB'),
            ),
          ),
          v.minLength(1),
          v.maxLength(250, 'must have at most 250 entries'),
        ),
      ),
    }),
  ),
  v.maxLength(50, 'must have at most 50 entries'),
);
export type PhoneNumbers = v.InferOutput<typeof PhoneNumbers>;
