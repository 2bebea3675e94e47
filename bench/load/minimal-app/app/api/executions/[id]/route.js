import { answerExecution } from '../../../statements'

export const GET = async (request, { params }) => answerExecution(request, (await params).id)
