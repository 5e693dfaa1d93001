import { ErrorBody } from './error.ts';
import { describeFields } from './field-texts.ts';

describeFields(ErrorBody, {
  trackingId: 'The ID of the request, also in the header x-request-id.',
  error: [
    'What went wrong.',
    {
      code: 'The error as a code; the list is closed.',
      message: 'What is wrong, as text.',
      fix: 'What to do next.',
      provider: 'The external service that failed.',
      providerCode: "The external service's own code.",
    },
  ],
});
