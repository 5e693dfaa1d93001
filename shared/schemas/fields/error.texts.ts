import { ErrorBody, FieldError } from './error.ts';
import { describeFields } from './field-texts.ts';

describeFields(FieldError, {
  path: 'The field, dotted: options.email.retryHours, to.tokens[0].token; empty for the whole body. Begins with query., path. or header. for those.',
  code: 'REQUIRED, UNKNOWN_FIELD, WRONG_TYPE, UNKNOWN_VALUE, TOO_SMALL, TOO_LARGE, TOO_SHORT, TOO_LONG, NOT_ALLOWED or INVALID, or a code of the list of errors.',
  message: 'The requirement, in words.',
  line: 'The line in the text of a template.',
  column: 'The column in this line.',
});

describeFields(ErrorBody, {
  trackingId: 'The ID of the request, also in the header x-request-id.',
  error: [
    'The error.',
    {
      code: 'Error code, from a fixed list.',
      message: 'A description of the error.',
      fix: 'The suggested next step.',
      errors:
        'The problems one by one: of invalid requests and templates, and of other errors that name fields.',
      docs: 'The address of the code on the page of errors, relative to the address of the API.',
      provider: 'The external service that failed.',
      providerCode: "The external service's own code.",
    },
  ],
});
