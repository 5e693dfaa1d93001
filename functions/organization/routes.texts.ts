import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getUsageHistoryRoute, receivePaymentEventRoute } from './routes.ts';

describeFields(getUsageHistoryRoute.query, {
  startDate: 'The first day, YYYY-MM-DD.',
  endDate: 'The last day, YYYY-MM-DD.',
});

describeFields(getUsageHistoryRoute.answer.body, {
  items: 'One entry for each month of the range.',
});

describeFields(receivePaymentEventRoute.answer.body, {
  received: 'true: the event was received.',
});
