import { ErrorBody } from './error.ts';
import { describeFields } from './field-texts.ts';

describeFields(ErrorBody, {
  trackingId: 'The ID of the request, also in the header x-request-id.',
  error: [
    'The error.',
    {
      code: 'The error as a code; the list is closed.',
      message: 'A description of the error.',
      fix: 'The suggested next step.',
      provider: 'The external service that failed.',
      providerCode: "The external service's own code.",
    },
  ],
});
