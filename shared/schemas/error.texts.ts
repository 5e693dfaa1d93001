import { ErrorBody } from './error.ts';
import { describeFields } from './field-texts.ts';

describeFields(ErrorBody, {
  trackingId: 'The ID of the request, also in the header x-request-id.',
  error: [
    'The error.',
    {
      code: 'Error code, from a fixed list.',
      message: 'A description of the error.',
      fix: 'The suggested next step.',
      docs: 'The address of the code on the page of errors, relative to that of the API.',
      provider: 'The external service that failed.',
      providerCode: "The external service's own code.",
    },
  ],
});
