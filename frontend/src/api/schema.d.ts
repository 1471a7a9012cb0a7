// Made from the code of the API by `make api-types`; not to be edited.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Healthz
         * @description The process answers.
         */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readyz
         * @description The process can store answers: PostgreSQL answers, and has taken a write within the last
         *     seconds. Redis is left out: without it answers still work. `verdicts` says whether they come:
         *     `ok`, `delayed`, `stopped` or `unknown`; why, the System page tells those who may see it. A
         *     stack that is starting is not ready before commands find it.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description Verdicts of the token's workspace by status, the age of the oldest unfinished one, and the
         *     limits of judges that all workspaces share.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Logout
         * @description Ends this browser's session. For one that began at a login provider that can end its own
         *     session too, `next` is the address to open for that.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat
         * @description The whole answer. Its verdict comes later: `quality` says where to look for it.
         */
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream
         * @description `event: metadata` (matched notes, answer_id) → `data: {"chunk"}` … → `data: [DONE]` →
         *     `event: evaluation` → `event: quality` → `event: qa_evaluation`. The first `evaluation` has
         *     `timing_ms`: what `Server-Timing` says of an answer that is not streamed, and `first_chunk`.
         *
         *     `event: error` with a problem in place of the rest when the model fails. Whoever loses the
         *     stream before `event: evaluation` finds the verdict by `GET /qa-evaluations?answer_id=…`.
         */
        post: operations["stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check Answer
         * @description Says within `within` seconds whether an answer may be shown, by rules, while it is stored and
         *     judged as by POST /qa-evaluations. Needs neither Redis nor, for a token that was used within the
         *     last hour, PostgreSQL. What is not known is `unknown`: what to do then is for you to say.
         */
        post: operations["check_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Conversations
         * @description Those of the token's name, the one that was last asked in first. `containing`: a part of the
         *     title or of a question, whatever the case.
         */
        get: operations["list_conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Conversation
         * @description One conversation of one's own.
         */
        get: operations["get_conversation"];
        put?: never;
        post?: never;
        /**
         * Delete Conversation
         * @description Deletes it. Its answers and their evaluations stay in the workspace, where figures count
         *     them, unless `with_answers` deletes these too, as DELETE /answers/{answer_id} does.
         */
        delete: operations["delete_conversation"];
        options?: never;
        head?: never;
        /**
         * Rename Conversation
         * @description Names it.
         */
        patch: operations["rename_conversation"];
        trace?: never;
    };
    "/conversations/{conversation_id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Conversation Answers
         * @description Its questions and answers, the newest first, each with the evaluation that counts.
         */
        get: operations["list_conversation_answers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Feedback
         * @description Everybody's, the whole answer first, then claim by claim.
         */
        get: operations["list_feedback"];
        put?: never;
        /**
         * Upsert Feedback
         * @description Labels the answer or one of its claims. What the same author said of it before is
         *     replaced. An answer may be labelled whatever became of its verdict; claims are there once it
         *     has succeeded.
         */
        post: operations["upsert_feedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/feedback/{feedback_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Feedback
         * @description Deletes a label of the token's name, with the scope `admin` anybody's.
         */
        delete: operations["delete_feedback"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/review-queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Review Queue
         * @description The verdicts that are most uncertain or most disputed first, of the newest 5,000, without
         *     those whose answer `author` (the token's name when left out) has labelled.
         */
        get: operations["get_review_queue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Agreement
         * @description How far the judge and people agree, of the newest 10,000 labels: weighted kappa with its
         *     95 % interval, or null and why not. Without `judge_model`, of the verdicts that count.
         */
        get: operations["get_agreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve Answers
         * @description The next answers to label, without anything of their verdicts. They and those `held` are
         *     reserved for ten minutes: nobody else is given them. Ask again to renew. A label takes no
         *     reservation, and ends none.
         */
        post: operations["reserve_answers"];
        /**
         * Release Answers
         * @description Releases all that the holder has open.
         */
        delete: operations["release_answers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get People Agreement
         * @description How far people agree with each other: for each two authors the answers that both have
         *     labelled as a whole, and weighted kappa with its 95 % interval, or null and why not. Of the
         *     newest 50,000 pairs of labels, the 50 pairs of authors with the most answers in common.
         */
        get: operations["get_people_agreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Samples
         * @description The newest 100 draws, newest first, with what is labelled of each stratum.
         */
        get: operations["list_samples"];
        put?: never;
        /**
         * Draw Sample
         * @description Draws judged answers at random for people to label, and stores with each the chance it had.
         *     What earlier draws have picked is not drawn again.
         */
        post: operations["draw_sample"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/review/sampled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sampled
         * @description The drawn answers that nobody has labelled, in the order drawn. Estimates count a draw's
         *     labels from its first answer on, so label them in this order. With `again`, those that others
         *     have labelled and `author` (the token's name when left out) has not.
         */
        get: operations["list_sampled"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Evaluations
         * @description Newest first, or those first that have the lowest correctness, took longest or cost most, and
         *     last those without. `after` is the `next` of the page before, of the same order.
         */
        get: operations["list_evaluations"];
        put?: never;
        /**
         * Submit Answer
         * @description Has an answer judged that another application gave. The same Idempotency-Key and body
         *     give the same evaluation again; the key with another body is a conflict.
         */
        post: operations["submit_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Evaluations
         * @description All verdicts that match, newest first, with whole answers.
         */
        get: operations["export_evaluations"];
        put?: never;
        /**
         * Export Selected
         * @description These verdicts, newest first, with whole answers. X-Total-Count says how many of them there
         *     are: what has been deleted is left out.
         */
        post: operations["export_selected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sources
         * @description The notes with their text, as the answering model saw them.
         */
        get: operations["list_sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Calls
         * @description Every call to a judge, of all attempts. `bodies` adds what came back, for administrators:
         *     it is what the vendor sent, unchecked, and may tell of the account that pays.
         */
        get: operations["list_calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Timeline
         * @description What took how long, from the search for notes until a reader was sent the verdict, and what
         *     it still waits for. What is not stored is named in `unknown`; nothing is estimated.
         */
        get: operations["get_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get History
         * @description What happened to the verdict, in order; old steps but the last are forgotten in time.
         */
        get: operations["get_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Select Matching
         * @description The ids of the first `limit` verdicts that match, in the order of the list, and how many
         *     match in all, counted up to 10,000.
         */
        get: operations["select_matching"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Evaluation Views
         * @description By name.
         */
        get: operations["list_evaluation_views"];
        put?: never;
        /**
         * Create Evaluation View
         * @description Saves a view for everybody in the workspace; at most 100.
         */
        post: operations["create_evaluation_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation-views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Evaluation View
         * @description One view.
         */
        get: operations["read_evaluation_view"];
        put?: never;
        post?: never;
        /**
         * Delete Evaluation View
         * @description Deletes the view; its link says then that there is none.
         */
        delete: operations["delete_evaluation_view"];
        options?: never;
        head?: never;
        /**
         * Update Evaluation View
         * @description Renames it, or replaces what it shows, for everybody.
         */
        patch: operations["update_evaluation_view"];
        trace?: never;
    };
    "/answers/{answer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Answer
         * @description Removes the answer with its sources, verdicts, judge calls, events, improvements and their
         *     jobs. Copies stay: test cases made from it, and what runs and benches have of it.
         */
        delete: operations["delete_answer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user-deletions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete User
         * @description Deletes all of a user in this workspace: answers with everything that hangs on them, test
         *     cases and texts of results that were made from them, and traces. Returns the receipt, which the
         *     audit log keeps. Ask again while `complete` is false.
         */
        post: operations["delete_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Workspace Events
         * @description Every change of every verdict. Last-Event-ID goes on without a gap.
         */
        get: operations["workspace_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Evaluation
         * @description One verdict. While it is pending, Retry-After says when to look again. A reader token is
         *     shown less of it: a ReaderVerdict.
         */
        get: operations["get_evaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Evaluation Events
         * @description Every change of one verdict; ends after the final one. A reader token gets a ReaderVerdict
         *     with each `event: evaluation`, and no other events.
         */
        get: operations["evaluation_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/reader-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Reader Token
         * @description A token to give to a browser: it reads this evaluation and its events, less of them than
         *     others do, and nothing else. It expires, and it ends with the token that asks.
         */
        post: operations["create_reader_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/refine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refine
         * @description Has a better answer looked for, in the background: the query is rewritten, searched and
         *     answered again. The first answer stays. While one is under way, that one is returned.
         */
        post: operations["refine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/refinements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Refinements
         * @description Newest first, with their iterations.
         */
        get: operations["list_refinements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refinements/{refinement_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Refinement
         * @description One refinement: each iteration with its query, notes, answer and scores, and why it
         *     stopped.
         */
        get: operations["read_refinement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/rejudge/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate Rejudge
         * @description What judging again would take. Nothing is started.
         */
        post: operations["estimate_rejudge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/rejudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start Rejudge
         * @description Has the answers judged again, behind all fresh ones. Old verdicts stay; a new one counts
         *     once it has succeeded. POST /jobs/{id}/cancel ends it.
         */
        post: operations["start_rejudge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/rejudge/stranded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reassign Stranded
         * @description Has answers that wait for a paused judge which the policy no longer names judged by the judge
         *     of today's policy, at most 10,000 at once.
         */
        post: operations["reassign_stranded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/rejudge/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Rejudge Job
         * @description How far it is.
         */
        get: operations["get_rejudge_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/rejudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rejudge One
         * @description Has one answer judged again. Its verdict stays, and counts until there is a new one.
         */
        post: operations["rejudge_one"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notebooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notebooks
         * @description All notebooks, by name.
         */
        get: operations["list_notebooks"];
        put?: never;
        /**
         * Create Notebook
         * @description The notebook of that name, made if it is not there.
         */
        post: operations["create_notebook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notes
         * @description Oldest first. `title` is a part of the title, in capitals or not; `after` is the `next` of
         *     the page before.
         */
        get: operations["list_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/{note_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Note
         * @description One note with its text.
         */
        get: operations["read_note"];
        put?: never;
        post?: never;
        /**
         * Delete Note
         * @description Removes a note and its passages from search. Answers that were given from it, and their
         *     verdicts, keep the text they were given.
         */
        delete: operations["delete_note"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/{note_id}/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Note Quality
         * @description How the answers fared that were given this note.
         */
        get: operations["read_note_quality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/{note_id}/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Note Conflicts
         * @description What other notes may say otherwise, and which have nearly the same text, found by rules
         *     among the notes that share most words with this one.
         */
        get: operations["read_note_conflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Notes
         * @description Stores notes; those that are stored already are updated or left as they are.
         */
        post: operations["import_notes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/import/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import File
         * @description A Note Station archive (.nsx), JSON lines (.jsonl) or one Markdown file (.md). A file with
         *     a mistake stores nothing.
         */
        post: operations["import_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sample-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Samples
         * @description Stores notes to try SearchQA with, of a made-up laboratory in Korean and English, in the
         *     notebook `laboratory`.
         */
        post: operations["import_samples"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Embeddings
         * @description How many passages of the notes have a vector.
         */
        get: operations["read_embeddings"];
        put?: never;
        /**
         * Start Embedding
         * @description Makes the vectors that lack, as a job; the one under way if there is one.
         */
        post: operations["start_embedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/successions/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate Succession
         * @description What it would take, before anything is spent. Nothing is stored.
         */
        post: operations["estimate_succession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/successions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Successions
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_successions"];
        put?: never;
        /**
         * Create Succession
         * @description Has a judge of the policy and the one that is to follow it judge the same stored answers.
         *     Verdicts and the policy stay as they are.
         */
        post: operations["create_succession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/successions/{succession_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Succession
         * @description How far it is, and once it is completed what it has shown.
         */
        get: operations["read_succession"];
        put?: never;
        post?: never;
        /**
         * Delete Succession
         * @description With its report, its marks in charts and the way back; the policy stays as it is.
         */
        delete: operations["delete_succession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/successions/{succession_id}/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch Judges
         * @description Puts the new judge in the old one's place in the policy, its cascade and jury, in one step,
         *     from the next answer on. Its guarantee goes over where the labelled answers show that the new
         *     judge keeps it; other guarantees and thresholds of the old judge hold no more.
         */
        post: operations["switch_judges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/successions/{succession_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo Succession
         * @description Puts the old judge back, with its guarantees and thresholds; the one that went over is
         *     deleted. Verdicts stay.
         */
        post: operations["undo_succession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/successions/{succession_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Succession
         * @description Ends one that is under way; what was judged stays.
         */
        post: operations["cancel_succession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Paused Judges
         * @description Judges that wait for somebody to mend them, and those that keep failing, which are probed.
         *     Their answers wait or are judged by others, and are not lost.
         */
        get: operations["list_paused_judges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Judge Limits
         * @description The judges whose servers limit requests, tokens or calls in flight, as SEARCHQA_JUDGE_LIMITS
         *     sets it or their replies state it, and how much of that is used now.
         */
        get: operations["list_judge_limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/endings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Model Endings
         * @description Models that the workspace or the server's settings use and that end within 60 days or have
         *     ended, with what names them. Dates are those of their servers, else of a list of ours.
         */
        get: operations["list_model_endings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Offered Models
         * @description Models that a policy can name: what the configured servers list now, with price and state,
         *     and what needs no server. Models of other servers can be named too.
         */
        get: operations["list_offered_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judges/{judge_model}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume Judge
         * @description Lets the judge work again now, for all workspaces. Takes the scope `operator`, which only
         *     `searchqa token create` on the server gives.
         */
        post: operations["resume_judge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read System Health
         * @description Whether verdicts come in time, for the banner of all pages. What is wrong is in
         *     `GET /system`.
         */
        get: operations["read_system_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read System
         * @description What waits and where, which processes live, and what the database holds, of all workspaces.
         *     Takes the scope `operator`.
         */
        get: operations["read_system"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Jobs
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Job
         * @description One job: `done` of `total` units, or why it failed.
         */
        get: operations["get_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Job Events
         * @description How far the job is, whenever that changes; ends with the job.
         */
        get: operations["job_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Job
         * @description Ends the job; what it has done already stays, and what it has put in for a judge and no
         *     judge has begun is not judged. One that had ended stays as it is, and the
         *     answer says how it ended.
         */
        post: operations["cancel_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Datasets
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_datasets"];
        put?: never;
        /**
         * Create Dataset
         * @description Stores test cases; under a name that is taken they become its next version.
         */
        post: operations["create_dataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate Dataset
         * @description Makes questions from sampled chunks in the background; poll the job at its Location.
         */
        post: operations["generate_dataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Dataset
         * @description The same from a file. One with a mistake stores nothing; the error names its line.
         */
        post: operations["import_dataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/from-answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add From Answer
         * @description Makes a test case of an answer, with the notes that it was given. A version grows until its
         *     first run; then the next one begins.
         */
        post: operations["add_from_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Dataset
         * @description One version with its test cases.
         */
        get: operations["read_dataset"];
        put?: never;
        post?: never;
        /**
         * Delete Dataset
         * @description Runs over it stay, with what they have measured; those under way are cancelled.
         */
        delete: operations["delete_dataset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/{dataset_id}/passages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Passages
         * @description The chunks that answer its questions; those of notes that have changed are gone.
         */
        get: operations["read_passages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/{dataset_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review Dataset
         * @description Stores what a person leaves of a version, with their corrections, as the next version.
         */
        post: operations["review_dataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/{dataset_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Dataset
         * @description Its test cases as a file that can be imported again.
         */
        get: operations["export_dataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/compare/{other_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare Runs
         * @description The second run against the first: paired differences with their significance, and the
         *     cases that flipped. Means of the search are not compared where k or the dataset differ, those
         *     of the answers where the judge or its prompt do.
         */
        get: operations["compare_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/compare/{other_id}/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compared Cases
         * @description The questions of both runs with both answers: first those that failed or flipped, then by
         *     the size of the change.
         */
        get: operations["compared_cases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Baseline Comparison
         * @description Up to six runs against this one, their baseline: means over the cases that all of them
         *     measured, and paired differences whose p values count how many runs are compared. An id that
         *     is there twice counts once.
         */
        get: operations["baseline_comparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/{dataset_id}/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate Run
         * @description What a run would take, before anything is spent.
         */
        post: operations["estimate_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/datasets/{dataset_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start Run
         * @description Starts a run on all workers; poll its Location. With `wait` (seconds) a run that is done
         *     by then is returned as 201.
         */
        post: operations["start_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Runs
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Run
         * @description A run with the results so far.
         */
        get: operations["read_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run Progress
         * @description The same without the results.
         */
        get: operations["run_progress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run Events
         * @description How far the run is, whenever that changes; ends with the run.
         */
        get: operations["run_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run Report
         * @description A run for a CI server, in whatever state it is. JUnit: a test for the run, one for each
         *     gate of `fail_under`, one for each case that failed.
         */
        get: operations["run_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Findings
         * @description What its figures mean, in the language of Accept-Language, and its cases, worst first.
         */
        get: operations["read_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/cases/{test_case_id}/passages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Case Passages
         * @description What the search found for a case, and what it missed; texts of notes that have changed
         *     since are gone.
         */
        get: operations["read_case_passages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Run
         * @description Ends a run; what it has measured stays.
         */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Batches
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_batches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Batch
         * @description One batch: how many of its answers have their reply, or why it failed.
         */
        get: operations["get_batch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-batches/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Batch
         * @description Has the provider stop. Replies that there are by then are paid for and used; the other
         *     answers are judged by calls. A batch that has ended stays as it is.
         */
        post: operations["cancel_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Benches
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_benches"];
        put?: never;
        /**
         * Create Bench
         * @description Has judges measured on labelled answers, or on the answers with feedback.
         */
        post: operations["create_bench"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Bench
         * @description The same from a file of JSON lines. Bad lines are left out and told by their numbers; a
         *     file without a good one is refused.
         */
        post: operations["import_bench"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate Bench Cost
         * @description What a bench of this file, or of the stored feedback, would take, before anything is spent.
         *     Nothing is stored.
         */
        post: operations["estimate_bench_cost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches/{bench_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Bench
         * @description A bench, once it is completed with its figures.
         */
        get: operations["read_bench"];
        put?: never;
        post?: never;
        /**
         * Delete Bench
         * @description With its answers and results.
         */
        delete: operations["delete_bench"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches/{bench_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bench Progress
         * @description The same without figures and bad lines.
         */
        get: operations["bench_progress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches/{bench_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bench Report
         * @description The figures as a page of its own (`html`), Markdown or JSON.
         */
        get: operations["bench_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluation/judge-benches/{bench_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Bench
         * @description Ends a bench with all of its jobs; what was judged stays. Cancelling one of its jobs does
         *     the same.
         */
        post: operations["cancel_bench"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-prompts/shipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Shipped Prompts
         * @description The prompts that come with the program and whose instructions can be rewritten, with the
         *     fixed texts that stand in the places of {about}, {sections} and {form}.
         */
        get: operations["list_shipped_prompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Judge Prompts
         * @description The workspace's versions, newest first. `after` is the `next` of the page before.
         */
        get: operations["list_judge_prompts"];
        put?: never;
        /**
         * Create Judge Prompt
         * @description Keeps the next version of a name. It is used where the policy, a bench or judging again names
         *     its `reference`, and it never changes.
         */
        post: operations["create_judge_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-prompts/{prompt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Judge Prompt
         * @description One version with its instructions.
         */
        get: operations["read_judge_prompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-prompts/{prompt_id}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retire Judge Prompt
         * @description It cannot be chosen any more; verdicts by it and work under way stay. May be repeated.
         */
        post: operations["retire_judge_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Judge Trial
         * @description Has a stored answer judged by a model and prompt, in the background. Its verdict, its badge
         *     and analytics stay as they are.
         */
        post: operations["create_judge_trial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/judge-trials/{trial_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Judge Trial
         * @description How far it is, and once it has ended what the judge says.
         */
        get: operations["read_judge_trial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qa-evaluations/{evaluation_id}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Judge Trials
         * @description The newest 20 trials with the answer, newest first.
         */
        get: operations["list_judge_trials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/criteria/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Criterion Examples
         * @description Criteria to begin with, in the language of the request: POST one to have it judged.
         */
        get: operations["list_criterion_examples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/criteria": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Criteria
         * @description The workspace's versions, newest first, or only those `in_force`, which new verdicts have.
         *     `after` is the `next` of the page before.
         */
        get: operations["list_criteria"];
        put?: never;
        /**
         * Create Criterion
         * @description Keeps the next version of a name, which never changes, and has the next answers judged by it
         *     in the place of the version before.
         */
        post: operations["create_criterion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/criteria/{criterion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Criterion
         * @description One version.
         */
        get: operations["read_criterion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/criteria/{criterion_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive Criterion
         * @description No answer is judged by any version of its name from now on; scores stay. Keeping another
         *     version brings it back. May be repeated.
         */
        post: operations["archive_criterion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/alarms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Alarms
         * @description The newest 100 changes of quality that were noticed, newest first, and what is watched. Each
         *     closed day is looked at once, some hours after its end; on average at most one alarm a year of a
         *     judge is false.
         */
        get: operations["list_alarms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/alarms/{alarm_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge Alarm
         * @description Marks the alarm as seen; the quality page then shows it no more. May be repeated.
         */
        post: operations["acknowledge_alarm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Failures
         * @description Groups of doubted answers of the period, most answers first. Without `min_answers` those that
         *     are open and nobody owns are listed from the second answer on, all others always. Verdicts are
         *     grouped within about a minute.
         */
        get: operations["list_failures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/failures/{failure_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Failure
         * @description One group with its newest answers and the releases in which it was seen.
         */
        get: operations["get_failure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update Failure
         * @description Gives it an owner or a state. A doubted answer that is later than the mending, of a release
         *     that is not older than `mended_in`, opens it again and raises `failure.reopened`.
         */
        patch: operations["update_failure"];
        trace?: never;
    };
    "/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Queries
         * @description All named queries, with what their parameters and columns mean.
         */
        get: operations["list_queries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/true-quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get True Quality
         * @description The share of grounded answers, mean correctness and mean utility, corrected by the labels
         *     of answers that were drawn at random (`POST /review/samples`), with 95 % intervals. `width`: of
         *     the interval that `more_labels` is about. `model`: only what this judge was asked.
         */
        get: operations["get_true_quality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare Releases
         * @description Each release (`app_version`) beside the one that was first seen before it: shares and means
         *     with 95 % intervals, corrected where labels allow, and for which questions it got worse.
         */
        get: operations["compare_releases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/what-changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get What Changed
         * @description The newest day of the period with enough scored answers beside the days before it, and what
         *     the difference of mean correctness comes from.
         */
        get: operations["get_what_changed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run Query
         * @description One named query. `format`, or else the header Accept, asks for a file with all rows.
         */
        get: operations["run_query"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Policy
         * @description The workspace's policy, what holds with the server's settings below it, and how much of
         *     today's budget is left.
         */
        get: operations["get_policy"];
        /**
         * Replace Policy
         * @description Replaces the whole policy: what is left out, or null, is left to the server. It holds for
         *     the next answer that is finished. With If-Match only if nobody has changed it since.
         */
        put: operations["replace_policy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forecast Policy
         * @description What this policy would do a day in the place of the present one. Nothing is stored.
         */
        post: operations["forecast_policy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/calibrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calibrate Judges
         * @description Looks for the lowest score of each judge above which at least a share `precision` of what it
         *     calls high is right, by people's labels of answers that were drawn at random, and stores it in
         *     the policy. From then on verdicts of that judge and prompt below it are medium. A judge that
         *     gets no guarantee keeps an earlier one unless the labels speak against it: `judges` says why.
         */
        post: operations["calibrate_judges"];
        /**
         * Remove Calibrations
         * @description Removes all guarantees: what a judge calls high is high again, from the next verdict on.
         */
        delete: operations["remove_calibrations"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/cascade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calibrate Cascade Of Judges
         * @description Looks for the cheapest thresholds of a cascade of which the labels of a bench show that it
         *     gives at most a share `max_loss` of answers a worse verdict than its last judge alone, and
         *     stores them, with the cascade, in the policy. Where there are none the policy stays as it is.
         */
        post: operations["calibrate_cascade_of_judges"];
        /**
         * Remove Cascade Thresholds
         * @description Removes the thresholds: the last judge judges alone, from the next answer on.
         */
        delete: operations["remove_cascade_thresholds"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/learning/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate Learning
         * @description What it would take, before anything is spent. Nothing is stored.
         */
        post: operations["estimate_learning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/learning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Learnings
         * @description Newest first. `after` is the `next` of the page before.
         */
        get: operations["list_learnings"];
        put?: never;
        /**
         * Learn From Labels
         * @description Chooses examples for the judge's prompt, and a score from which its "high" stays, by one half
         *     of the labels of drawn answers, and proves them on the other half, in the background. The policy
         *     is changed only where that agrees more with people: where the 95 % interval of the difference
         *     lies above 0.
         */
        post: operations["learn_from_labels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/learning/{learning_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Learning
         * @description How far it is, and once it is completed its result. The judge bench of that id has all
         *     verdicts; deleting it deletes the way back.
         */
        get: operations["read_learning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/evaluation/learning/{learning_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revert Learning
         * @description Puts prompt and guarantees of before back. Verdicts stay.
         */
        post: operations["revert_learning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whoami
         * @description The workspace of the token that asks, and what the token may do there.
         */
        get: operations["whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tokens
         * @description The API tokens, revoked ones included, or the sessions of browsers and commands that are
         *     valid now. What they open with is not stored.
         */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Create Token
         * @description A new token. It is shown this one time.
         */
        post: operations["create_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{token_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Token
         * @description A new token with the name, scopes and lifetime of this one, shown this one time. Both work
         *     until the overlap ends. One with the scope `operator` takes a token that has it.
         */
        post: operations["rotate_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Token
         * @description From now on the token or session opens nothing, and what it has open ends. The last valid
         *     token with the scope `admin` is kept unless `even_last_admin` says that it is meant.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Audit Events
         * @description Who changed what in the workspace, newest first.
         */
        get: operations["list_audit_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Audit Events
         * @description All events that match, newest first. The export is an event itself.
         */
        get: operations["export_audit_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify Audit Events
         * @description Computes the chain of hashes anew and names events that were changed or are missing.
         */
        get: operations["verify_audit_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/traces/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Traces Summary
         * @description What has become of traces: counts of the last `days` days (UTC), today included, and the
         *     newest traces, of one outcome if one is named.
         */
        get: operations["traces_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export Traces
         * @description Takes spans by OTLP/HTTP: protobuf or JSON, plain or gzip. Spans of OpenInference and of the
         *     GenAI conventions become answers, which are judged, once their trace is complete. Spans that
         *     were sent before change nothing.
         */
        post: operations["export_traces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Webhooks
         * @description The webhooks of the workspace; their secrets are not shown.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Create Webhook
         * @description Adds a webhook. Its secret is shown this one time.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Webhook
         * @description One webhook, and whether its receiver takes what it is sent.
         */
        get: operations["read_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete Webhook
         * @description With its deliveries, those that wait as well.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Update Webhook
         * @description Changes what the body names. Switching a webhook on that the server had switched off has
         *     its pending deliveries sent.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Webhook Secret
         * @description A new secret, shown this one time. Until the one before it ends, deliveries carry the
         *     signatures of both.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test Webhook
         * @description Has the event `webhook.test` sent, once; read the delivery again to see what came of it.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Webhook Deliveries
         * @description What was sent or is to be, newest first, each with its last attempts.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Webhook Delivery
         * @description One delivery with its attempts.
         */
        get: operations["read_webhook_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay Webhook Delivery
         * @description Has it sent again, under the same webhook-id, by which receivers know it.
         */
        post: operations["replay_webhook_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AIChatRequest
         * @description lang is found from the question when it is left out.
         */
        AIChatRequest: {
            /** @default search_qa */
            feature?: components["schemas"]["Feature"];
            /** Content */
            content: string;
            /** Lang */
            lang?: ("ko" | "en") | null;
            /**
             * @default {
             *       "tags": [],
             *       "attributes": {},
             *       "note_titles": []
             *     }
             */
            options?: components["schemas"]["ChatOptions"];
        };
        /**
         * AIChatResponse
         * @description standalone_question: what a question that needs the turns before it was understood as; null
         *     where it stands alone.
         */
        AIChatResponse: {
            /** Content */
            content: string;
            /** Standalone Question */
            standalone_question: string | null;
            /** Provider */
            provider: string;
            /** Model */
            model: string;
            /**
             * Lang
             * @enum {string}
             */
            lang: "ko" | "en";
            /** Matched Notes */
            matched_notes: components["schemas"]["MatchedNote"][];
            quality: components["schemas"]["QualityRead"];
        };
        /**
         * AddedCase
         * @description The case that an answer is in. added: false where the dataset had it already, with the same
         *     question and notes.
         */
        AddedCase: {
            /** Added */
            added: boolean;
            /**
             * Dataset Id
             * Format: uuid
             */
            dataset_id: string;
            /** Dataset Name */
            dataset_name: string;
            /** Dataset Version */
            dataset_version: number;
            test_case: components["schemas"]["CaseView"];
        };
        /**
         * Agreement
         * @description Linearly weighted kappa of two raters with its 95 % bootstrap interval.
         *
         *     pairs: labels compared; answers: answers they are of, which are what is resampled, since
         *     labels of one answer are not independent. confusion: counts, the first rater's label (the
         *     judge's) by rows and the second's by columns, both in the order of `labels`. exact: share of
         *     equal labels. kappa is null where it cannot be told, and `why` says so.
         */
        Agreement: {
            /** Pairs */
            pairs: number;
            /** Answers */
            answers: number;
            /** Kappa */
            kappa: number | null;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** Exact */
            exact: number | null;
            /** Labels */
            labels: string[];
            /** Confusion */
            confusion: number[][];
            /** Why */
            why: string | null;
        };
        /**
         * AlertMetric
         * @description What a day's threshold is set on; shares are 0 to 1 of the day's verdicts.
         * @enum {string}
         */
        AlertMetric: "high_share" | "low_share" | "unsupported_share" | "failed_share" | "cost_usd";
        /** AnalyticsCatalog */
        AnalyticsCatalog: {
            /** Queries */
            queries: components["schemas"]["AnalyticsQuery"][];
        };
        /**
         * AnalyticsColumn
         * @description unit: null for what has none; 0..1 is a share or a score.
         */
        AnalyticsColumn: {
            /** Name */
            name: string;
            /**
             * Type
             * @enum {string}
             */
            type: "date" | "timestamp" | "integer" | "number" | "boolean" | "text" | "uuid";
            /** Unit */
            unit: string | null;
            /** Description */
            description: string;
        };
        /** AnalyticsParameter */
        AnalyticsParameter: {
            /** Name */
            name: string;
            /** Type */
            type: string;
            /** Description */
            description: string;
        };
        /** AnalyticsQuery */
        AnalyticsQuery: {
            /** Name */
            name: string;
            /** Title Ko */
            title_ko: string;
            /** Title En */
            title_en: string;
            /** Description */
            description: string;
            /** Parameters */
            parameters: components["schemas"]["AnalyticsParameter"][];
            /** Columns */
            columns: components["schemas"]["AnalyticsColumn"][];
        };
        /**
         * AnalyticsResult
         * @description sql: the text as it was run, to be copied. rows: an object for each, keyed by column; dates
         *     and times as ISO 8601, null for what is not known. truncated: there are as many rows as the
         *     limit allows, so there may be more.
         */
        AnalyticsResult: {
            /** Name */
            name: string;
            /** Title Ko */
            title_ko: string;
            /** Title En */
            title_en: string;
            /** Sql */
            sql: string;
            parameters: components["schemas"]["AppliedParameters"];
            /** Columns */
            columns: components["schemas"]["AnalyticsColumn"][];
            /** Rows */
            rows: {
                [key: string]: unknown;
            }[];
            /** Truncated */
            truncated: boolean;
        };
        /**
         * AppliedParameters
         * @description What the rows are of, defaults included.
         */
        AppliedParameters: {
            /**
             * Since
             * Format: date
             */
            since: string;
            /**
             * Until
             * Format: date
             */
            until: string;
            /** Model */
            model: string | null;
            /** Notebook Id */
            notebook_id: string | null;
            /** Tz */
            tz: string;
            /** Limit */
            limit: number | null;
            /** App Version */
            app_version: string | null;
            /** Environment */
            environment: string | null;
            /** Tag */
            tag: string | null;
        };
        /**
         * AttemptView
         * @description status: of the reply, null where none came. code: why it failed, for programs; error says
         *     it to people, in their language. Both are null where the receiver has taken it. reply: its
         *     first characters.
         */
        AttemptView: {
            /** Attempt */
            attempt: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Status */
            status: number | null;
            /** Ms */
            ms: number;
            code: components["schemas"]["FailureCode"] | null;
            /** Error */
            error: string | null;
            /** Reply */
            reply: string;
        };
        /**
         * AuditEventRead
         * @description `actor`: the name of a token, an account of the server, a kind of job, or a login of the
         *     database; `actor_id`: of the token or job. `via`: `api`, `cli`, `job` or `database`. `origin`:
         *     address, route and user agent (of commands their words and the account), or a command.
         *     `action`: `insert`, `update`, `delete` or `read`. `row_count`: rows of the statement. `before`
         *     and `after`: fields that differ; secret ones are left out, or only said to be "changed".
         */
        AuditEventRead: {
            /** Position */
            position: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Actor */
            actor: string;
            /** Actor Id */
            actor_id: string | null;
            /**
             * Via
             * @enum {string}
             */
            via: "api" | "cli" | "job" | "database";
            /** Origin */
            origin: string;
            /** Kind */
            kind: string;
            /**
             * Action
             * @enum {string}
             */
            action: "insert" | "update" | "delete" | "read";
            /** Subject */
            subject: string | null;
            /** Subject Id */
            subject_id: string | null;
            /** Row Count */
            row_count: number;
            /** Before */
            before: {
                [key: string]: unknown;
            } | null;
            /** After */
            after: {
                [key: string]: unknown;
            } | null;
            /** Hash */
            hash: string;
        };
        /**
         * AuditPage
         * @description Newest first.
         */
        AuditPage: {
            /** Items */
            items: components["schemas"]["AuditEventRead"][];
            /** Next */
            next: string | null;
        };
        /**
         * AuthorPair
         * @description Two people, in the order of their names, and the answers that both have labelled.
         */
        AuthorPair: {
            /** First */
            first: string;
            /** Second */
            second: string;
            agreement: components["schemas"]["Agreement"];
        };
        /**
         * AwaitedCalls
         * @description Calls that a verdict of its present judge takes at most, those that ask again left out, and
         *     to how many of them a reply has come.
         */
        AwaitedCalls: {
            /** Purpose */
            purpose: string;
            /** Calls */
            calls: number;
            /** Answered */
            answered: number;
        };
        /**
         * Backlog
         * @description Of one queue and judge. due: rows that may be claimed now, MAX_COUNTED for more;
         *     oldest_seconds: since when the first of them may be, None without one. running: rows that
         *     workers hold; expired: those of them whose lease has ended. paused: the kind of the judge's
         *     pause, None while it is asked.
         */
        Backlog: {
            queue: components["schemas"]["Queue"];
            /** Judge Model */
            judge_model: string;
            /** Due */
            due: number;
            /** Oldest Seconds */
            oldest_seconds: number | null;
            /** Running */
            running: number;
            /** Expired */
            expired: number;
            /** Paused */
            paused: string | null;
        };
        /**
         * BadLine
         * @description A line that is not measured, and why.
         */
        BadLine: {
            /** Line */
            line: number;
            /** Reason */
            reason: string;
        };
        /**
         * Band
         * @description Above .8; from .6; from .4; below.
         * @enum {string}
         */
        Band: "excellent" | "good" | "fair" | "poor";
        /**
         * BandRead
         * @description The band of a mean, its name, and what it says in one sentence.
         */
        BandRead: {
            metric: components["schemas"]["GenerationMetric"];
            /** Score */
            score: number;
            band: components["schemas"]["Band"];
            /** Grade */
            grade: string;
            /** Meaning */
            meaning: string;
        };
        /** BaselineComparison */
        BaselineComparison: {
            baseline: components["schemas"]["MeasuredRun"];
            /** Runs */
            runs: components["schemas"]["OtherRun"][];
            /** Metrics */
            metrics: components["schemas"]["MetricRow"][];
        };
        /**
         * BatchState
         * @description collecting ──▶ submitting ──▶ running ──▶ reading ──▶ ended
         *                         │            │                └──▶ cancelled
         *                         └────────────┴──▶ failed(error)
         *
         *     A batch that is cancelled goes on through `reading`: what it has replies for is paid for.
         * @enum {string}
         */
        BatchState: "collecting" | "submitting" | "running" | "reading" | "ended" | "failed" | "cancelled";
        /**
         * BenchCreate
         * @description judges: provider:model, which `@` and a version of the prompt may follow, `offline` for the
         *     rules, and with feedback also `stored`, the verdicts that readers got; `jury` is the majority of
         *     the models named, three or more, and takes no call. items: labelled answers,
         *     as lines of a file are; left out, the stored feedback is measured against. labels: of feedback,
         *     only those of answers `drawn` at random, or `all`; left out, the drawn ones where there are any,
         *     else all. limit: a sample drawn by `seed`; it keeps the share of hallucinated ones, unless
         *     answers were drawn at random. judge_spans: compare the claims that nothing supports with the
         *     places that people marked. repeats: how often models judge each answer, which shows how steady
         *     they are and costs as many times as much.
         */
        BenchCreate: {
            /**
             * Name
             * @default bench
             */
            name?: string;
            /** Judges */
            judges: string[];
            /** Items */
            items?: {
                [key: string]: unknown;
            }[] | null;
            /** Limit */
            limit?: number | null;
            /**
             * Seed
             * @default 0
             */
            seed?: number;
            /**
             * Threshold
             * @default 0.5
             */
            threshold?: number;
            /**
             * Judge Spans
             * @default true
             */
            judge_spans?: boolean;
            /** Labels */
            labels?: ("drawn" | "all") | null;
            /**
             * Repeats
             * @default 1
             */
            repeats?: number;
        };
        /**
         * BenchDetail
         * @description `basis` says which labels it rests on. `summary` is null until the bench is completed.
         */
        BenchDetail: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Source
             * @enum {string}
             */
            source: "file" | "feedback";
            /** Judges */
            judges: string[];
            /** Threshold */
            threshold: number;
            /** Judge Spans */
            judge_spans: boolean;
            /** Repeats */
            repeats: number;
            /** Available */
            available: number;
            /** Seed */
            seed: number;
            /** Items */
            items: number;
            /** Hallucinated */
            hallucinated: number;
            /** Rejected Lines */
            rejected_lines: number;
            frame: components["schemas"]["BenchFrame"] | null;
            status: components["schemas"]["RunStatus"];
            /** Total */
            total: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Error Message */
            error_message: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Finished At */
            finished_at: string | null;
            basis: components["schemas"]["Told"];
            /** Rejected */
            rejected: components["schemas"]["BadLine"][];
            summary: components["schemas"]["BenchSummary"] | null;
        };
        /**
         * BenchEstimate
         * @description What a bench would take: answers, calls of models, tokens and US dollars, null where nobody
         *     knows a price. A reply that cannot be read is asked for once more, which comes on top.
         */
        BenchEstimate: {
            /** Items */
            items: number;
            /** Hallucinated */
            hallucinated: number;
            /** Calls */
            calls: number;
            /** Prompt Tokens */
            prompt_tokens: number;
            /** Completion Tokens */
            completion_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
            /** Rejected */
            rejected: components["schemas"]["BadLine"][];
        };
        /**
         * BenchFrame
         * @description answers: stored ones that a draw could have picked. cells: those of them with labels in the
         *     bench; each label weighs the answers of its cell over the labels of its cell. strata: parts of
         *     draws without a label, which nothing here is said of.
         */
        BenchFrame: {
            /** Answers */
            answers: number;
            /** Cells */
            cells: components["schemas"]["CellSize"][];
            /** Strata */
            strata: string[];
        };
        /**
         * BenchPage
         * @description `next` continues the list; it is null on the last page.
         */
        BenchPage: {
            /** Items */
            items: components["schemas"]["BenchRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * BenchReportFormat
         * @description `html` holds the figures as tables and loads nothing.
         * @enum {string}
         */
        BenchReportFormat: "html" | "json" | "markdown";
        /**
         * BenchRow
         * @description `figures`, a judge each, are empty until the bench is completed.
         */
        BenchRow: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Source
             * @enum {string}
             */
            source: "file" | "feedback";
            /** Judges */
            judges: string[];
            /** Threshold */
            threshold: number;
            /** Judge Spans */
            judge_spans: boolean;
            /** Repeats */
            repeats: number;
            /** Available */
            available: number;
            /** Seed */
            seed: number;
            /** Items */
            items: number;
            /** Hallucinated */
            hallucinated: number;
            /** Rejected Lines */
            rejected_lines: number;
            frame: components["schemas"]["BenchFrame"] | null;
            status: components["schemas"]["RunStatus"];
            /** Total */
            total: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Error Message */
            error_message: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Finished At */
            finished_at: string | null;
            /** Figures */
            figures: components["schemas"]["JudgeBrief"][];
        };
        /** BenchSummary */
        BenchSummary: {
            /** Judges */
            judges: components["schemas"]["JudgeFigures"][];
            /** Differences */
            differences: components["schemas"]["JudgeDifference"][];
            /** Comparisons */
            comparisons: components["schemas"]["JudgeComparison"][];
        };
        /**
         * BenchView
         * @description A bench; of `total` verdicts, one for each judge and answer, `done` are there, `failed` of
         *     them without a score. `items` answers were drawn of the `available` ones by `seed`, and
         *     `rejected_lines` could not be used. A correctness below `threshold` says "hallucinated".
         *     `frame` is what the labels stand for; null unless their answers were drawn at random.
         */
        BenchView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Source
             * @enum {string}
             */
            source: "file" | "feedback";
            /** Judges */
            judges: string[];
            /** Threshold */
            threshold: number;
            /** Judge Spans */
            judge_spans: boolean;
            /** Repeats */
            repeats: number;
            /** Available */
            available: number;
            /** Seed */
            seed: number;
            /** Items */
            items: number;
            /** Hallucinated */
            hallucinated: number;
            /** Rejected Lines */
            rejected_lines: number;
            frame: components["schemas"]["BenchFrame"] | null;
            status: components["schemas"]["RunStatus"];
            /** Total */
            total: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Error Message */
            error_message: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Finished At */
            finished_at: string | null;
        };
        /** Body_estimate_bench_cost */
        Body_estimate_bench_cost: {
            /**
             * Judges
             * @description provider:model, with `@search-qa-eval-6` or `@workspace:NAME@1` for another prompt, `offline` for the rules; `stored` with feedback; `jury` for the majority of the models named.
             */
            judges: string[];
            /** File */
            file?: string | null;
            /** Limit */
            limit?: number | null;
            /**
             * Seed
             * @default 0
             */
            seed?: number;
            /**
             * Judge Spans
             * @default true
             */
            judge_spans?: boolean;
            /**
             * Labels
             * @description Of the stored feedback.
             */
            labels?: ("drawn" | "all") | null;
            /**
             * Repeats
             * @default 1
             */
            repeats?: number;
        };
        /** Body_import_bench */
        Body_import_bench: {
            /** File */
            file: string;
            /**
             * Judges
             * @description provider:model, with `@search-qa-eval-6` or `@workspace:NAME@1` for another prompt, `offline` for the rules; `stored` with feedback; `jury` for the majority of the models named.
             */
            judges: string[];
            /**
             * Name
             * @default bench
             */
            name?: string;
            /** Limit */
            limit?: number | null;
            /**
             * Seed
             * @default 0
             */
            seed?: number;
            /**
             * Threshold
             * @default 0.5
             */
            threshold?: number;
            /**
             * Judge Spans
             * @default true
             */
            judge_spans?: boolean;
            /**
             * Repeats
             * @default 1
             */
            repeats?: number;
        };
        /** Body_import_dataset */
        Body_import_dataset: {
            /** File */
            file: string;
            /** Name */
            name: string;
            /** @default jsonl */
            format?: components["schemas"]["CaseFormat"];
            /** Notebook Id */
            notebook_id?: string | null;
        };
        /** Body_import_file */
        Body_import_file: {
            /** File */
            file: string;
            /**
             * Notebook
             * @default 가져온 노트
             */
            notebook?: string;
        };
        /**
         * BothMeans
         * @description A mean of each judge over all answers that the labels stand for, 0 to 1, and the second less
         *     the first. interval: of the difference; null with too few labels.
         */
        BothMeans: {
            /** First */
            first: number;
            /** Second */
            second: number;
            /** Difference */
            difference: number;
            interval: components["schemas"]["Interval"] | null;
        };
        /**
         * Bounds
         * @description A mean, 0 to 1, and its 95 % interval.
         */
        Bounds: {
            /** Value */
            value: number;
            /** Low */
            low: number;
            /** High */
            high: number;
        };
        /**
         * BudgetRead
         * @description The running day, midnight to midnight in the policy's time zone. spent_usd: what judges
         *     have cost; held_usd: what those at work may cost; deferred: answers that wait for the next
         *     day.
         */
        BudgetRead: {
            /**
             * Day Start
             * Format: date-time
             */
            day_start: string;
            /**
             * Day End
             * Format: date-time
             */
            day_end: string;
            /** Spent Usd */
            spent_usd: number;
            /** Held Usd */
            held_usd: number;
            /** Deferred */
            deferred: number;
        };
        /**
         * CalibratedJudge
         * @description What came of one judge and prompt version.
         *
         *     outcome: guaranteed; not_reached: no threshold has the precision; too_few_labels: not even if
         *     all of them were right; no_highs: it calls none of the answers high that could have been drawn;
         *     not_in_policy: the policy names it, or this prompt, no more.
         *     highs: its high verdicts on answers that could have been drawn; covered: those of which this
         *     speaks, `strata` the names of the others; labels: of high verdicts, used: of these, those left
         *     after thinning to one chance for all. stays_high: share of highs with a score of at least
         *     the threshold. best: where there is no threshold, the one with the highest bound. more_labels:
         *     how many more above it would do if all were right. withdrawn: an earlier guarantee that asked no
         *     more than this one is deleted.
         */
        CalibratedJudge: {
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "guaranteed" | "not_reached" | "too_few_labels" | "no_highs" | "not_in_policy";
            /**
             * Highs
             * @default 0
             */
            highs?: number;
            /**
             * Covered
             * @default 0
             */
            covered?: number;
            /**
             * Labels
             * @default 0
             */
            labels?: number;
            /**
             * Used
             * @default 0
             */
            used?: number;
            /**
             * Strata
             * @default []
             */
            strata?: string[];
            threshold?: components["schemas"]["TestedThreshold"] | null;
            /** Stays High */
            stays_high?: number | null;
            best?: components["schemas"]["TestedThreshold"] | null;
            /**
             * More Labels
             * @default 0
             */
            more_labels?: number;
            /**
             * Withdrawn
             * @default false
             */
            withdrawn?: boolean;
        };
        /**
         * CalibrationBin
         * @description Answers that score from `low` to below `high` (the last bin includes 1).
         *
         *     mean_score: what the judge said on average; grounded: share that people found grounded; both
         *     None in an empty bin.
         */
        CalibrationBin: {
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Answers */
            answers: number;
            /** Mean Score */
            mean_score: number | null;
            /** Grounded */
            grounded: number | null;
        };
        /**
         * CalibrationCreate
         * @description judge_model: this one only. dry_run: says what would be stored, and stores nothing.
         */
        CalibrationCreate: {
            /**
             * Precision
             * @default 0.95
             */
            precision?: number;
            /**
             * Confidence
             * @default 0.9
             */
            confidence?: number;
            /** Judge Model */
            judge_model?: string | null;
            /**
             * Dry Run
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * CalibrationRead
         * @description Of answers that this judge calls high with a correctness of at least `threshold`, more than
         *     a share `precision` is right, with this confidence; all 0 to 1. labels, labels_right: what that
         *     was tested on. stays_high: the share of its high verdicts that had such a score. cascade: the
         *     judges that judged in turn then, null for a judge alone. lapsed: the policy names this judge
         *     with this prompt, or in this cascade, no more. policy_version: that came with it.
         */
        CalibrationRead: {
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string;
            /** Precision */
            precision: number;
            /** Confidence */
            confidence: number;
            /** Threshold */
            threshold: number;
            /** Labels */
            labels: number;
            /** Labels Right */
            labels_right: number;
            /** Stays High */
            stays_high: number;
            /** Cascade */
            cascade: string[] | null;
            /** Lapsed */
            lapsed: boolean;
            /** Policy Version */
            policy_version: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
        };
        /**
         * CalibrationResult
         * @description stored: whether anything was; not on a dry run.
         */
        CalibrationResult: {
            /** Precision */
            precision: number;
            /** Confidence */
            confidence: number;
            /** Stored */
            stored: boolean;
            /** Judges */
            judges: components["schemas"]["CalibratedJudge"][];
        };
        /**
         * CascadeCalibrationRead
         * @description lapsed: the cascade has other judges or prompts now, so the last judge judges alone.
         */
        CascadeCalibrationRead: {
            /** Judges */
            judges: string[];
            /** Prompt Versions */
            prompt_versions: string[];
            /** Steps */
            steps: {
                [key: string]: components["schemas"]["StepThresholds"];
            };
            /** Max Loss */
            max_loss: number;
            /** Confidence */
            confidence: number;
            /** Labels */
            labels: number;
            /** Worse */
            worse: number;
            /** Loss Bound */
            loss_bound: number;
            /** Decided */
            decided: number;
            /** Saving */
            saving: number;
            /**
             * Calibrated At
             * Format: date-time
             */
            calibrated_at: string;
            /** Lapsed */
            lapsed: boolean;
        };
        /**
         * CascadeCandidate
         * @description A cascade as it would have judged the tested answers. steps: the thresholds of its judges but
         *     the last, by name. decided: the share of answers that each decides. agreement: share of answers
         *     that it calls high if people call them right, and not high otherwise. worse, better: answers
         *     with a worse or better verdict than the last judge's, by the label; false_highs: wrong answers
         *     that it calls high, new_false_highs: of those the ones that the last judge does not. loss:
         *     worse less better, loss_bound: the bound on worse, as shares of the answers. cost_per_1000_usd:
         *     checks included. passed: the test of that bound.
         */
        CascadeCandidate: {
            /** Steps */
            steps: {
                [key: string]: components["schemas"]["StepThresholds"];
            };
            /** Decided */
            decided: {
                [key: string]: number;
            };
            /** Agreement */
            agreement: number;
            /** Worse */
            worse: number;
            /** Better */
            better: number;
            /** False Highs */
            false_highs: number;
            /** New False Highs */
            new_false_highs: number;
            /** Loss */
            loss: number;
            /** Loss Bound */
            loss_bound: number;
            /** Cost Per 1000 Usd */
            cost_per_1000_usd: number;
            /** Passed */
            passed: boolean;
        };
        /**
         * CascadeCreate
         * @description bench_id: a completed bench of all its judges. judges: the cascade, the policy's judge last;
         *     that of the policy where it is left out. max_loss: the share of answers, 0 to 1, that may get a
         *     worse verdict than the last judge would give. dry_run: says what would be stored, and stores
         *     nothing.
         */
        CascadeCreate: {
            /**
             * Bench Id
             * Format: uuid
             */
            bench_id: string;
            /** Judges */
            judges?: string[] | null;
            /**
             * Max Loss
             * @default 0.01
             */
            max_loss?: number;
            /**
             * Confidence
             * @default 0.9
             */
            confidence?: number;
            /**
             * Dry Run
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * CascadeResult
         * @description What came of a calibration.
         *
         *     outcome: calibrated; not_reached: the strictest thresholds were not shown to keep the loss;
         *     no_saving: what keeps it is not cheaper than the last judge alone, or no other judge is ever
         *     sure; too_few_labels: not even if no verdict were worse, and `needed` labels would do then.
         *     labels: those that are used, of which `learned_on` gave the order of the tests and `tested_on`
         *     tested; left_out: answers that the last judge had no verdict on. alone: the last judge without a
         *     cascade. tested: in their order, the last of which may not have passed; chosen: the cheapest
         *     that did. stored: whether the policy has it now. basis: what the labels speak of.
         */
        CascadeResult: {
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "calibrated" | "not_reached" | "no_saving" | "too_few_labels";
            /** Judges */
            judges: string[];
            /** Max Loss */
            max_loss: number;
            /** Confidence */
            confidence: number;
            /** Labels */
            labels: number;
            /** Learned On */
            learned_on: number;
            /** Tested On */
            tested_on: number;
            /** Left Out */
            left_out: number;
            /** Needed */
            needed: number;
            alone: components["schemas"]["CascadeCandidate"] | null;
            /** Tested */
            tested: components["schemas"]["CascadeCandidate"][];
            chosen: components["schemas"]["CascadeCandidate"] | null;
            /** Stored */
            stored: boolean;
            basis: components["schemas"]["Told"];
        };
        /**
         * CascadeStepView
         * @description One judge of a cascade, in the order in which they were asked. decided: its verdict is the
         *     answer's. sure: its score was beyond its thresholds, null for the last judge, who need not be;
         *     checked: it was, and the last judge was asked all the same, as a random part is. confidence: of
         *     its verdict; null with its scores where it had none, and `error` says why. cost_usd: of all its
         *     calls for this answer.
         */
        CascadeStepView: {
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string | null;
            /** Correctness */
            correctness: number | null;
            /** Utility */
            utility: number | null;
            /** Confidence */
            confidence: string | null;
            /** Sure */
            sure: boolean | null;
            /** Checked */
            checked: boolean;
            /** Decided */
            decided: boolean;
            /** Cost Usd */
            cost_usd: number | null;
            /** Judge Ms */
            judge_ms: number | null;
            /** Error */
            error: string | null;
        };
        /**
         * CaseChange
         * @description What of a case is to be otherwise. An empty reference answer removes it.
         */
        "CaseChange-Input": {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Question */
            question?: string | null;
            /** Ground Truth Chunk Ids */
            ground_truth_chunk_ids?: string[] | null;
            /** Reference Answer */
            reference_answer?: string | null;
        };
        /**
         * CaseChange
         * @description A figure of a case, by the name of its mean, in either run.
         */
        "CaseChange-Output": {
            /** Name */
            name: string;
            change: components["schemas"]["ChangeKind"];
            /** First */
            first: number;
            /** Second */
            second: number;
            first_band: components["schemas"]["Band"];
            second_band: components["schemas"]["Band"];
        };
        /**
         * CaseCreate
         * @description A question, the ids of the chunks that answer it, and the answer where it is known.
         */
        CaseCreate: {
            /** Question */
            question: string;
            /** Ground Truth Chunk Ids */
            ground_truth_chunk_ids: string[];
            /** Reference Answer */
            reference_answer?: string | null;
        };
        /**
         * CaseFormat
         * @description jsonl: one JSON object a line. csv: one row a case, below a header.
         * @enum {string}
         */
        CaseFormat: "jsonl" | "csv";
        /**
         * CaseFromAnswer
         * @description dataset_id: any version; name: of a dataset that is there, or of a new one; neither: the
         *     dataset that an answer was put into last. reference_answer: the right answer, empty for none;
         *     left out, the comment of the newest label `wrong` or `partly`. expects_refusal: the notes do not
         *     say, and the answer is to say so.
         */
        CaseFromAnswer: {
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /** Dataset Id */
            dataset_id?: string | null;
            /** Name */
            name?: string | null;
            /** Reference Answer */
            reference_answer?: string | null;
            /**
             * Expects Refusal
             * @default false
             */
            expects_refusal?: boolean;
        };
        /**
         * CaseNoteView
         * @description deleted: it was a note of the workspace, which is gone since.
         */
        CaseNoteView: {
            /**
             * Title
             * @default
             */
            title?: string;
            /** Content */
            content: string;
            /** Note Id */
            note_id?: string | null;
            /** Deleted */
            deleted: boolean;
        };
        /**
         * CaseReading
         * @description Scores of a case that say something: null where the judge gave no usable reply, or rules
         *     could not tell. state: what they come to for whoever reads the answer.
         */
        CaseReading: {
            /**
             * Test Case Id
             * Format: uuid
             */
            test_case_id: string;
            /** State */
            state: ("confirmed" | "incomplete" | "off_topic" | "partly" | "contradicted" | "not_in_notes" | "rightly_refused" | "falsely_refused" | "not_judged") | null;
            /** Faithfulness */
            faithfulness: number | null;
            /** Answer Relevancy */
            answer_relevancy: number | null;
            pattern: components["schemas"]["Pattern"] | null;
        };
        /**
         * CaseSide
         * @description A case in one of the runs. `figures`: those that can be compared, 0 to 1, by the names of
         *     their means; null where not measured or where the judge's reply could not be read. state: what
         *     the judge's come to for whoever reads the answer.
         */
        CaseSide: {
            /**
             * Test Case Id
             * Format: uuid
             */
            test_case_id: string;
            /** State */
            state: ("confirmed" | "incomplete" | "off_topic" | "partly" | "contradicted" | "not_in_notes" | "rightly_refused" | "falsely_refused" | "not_judged") | null;
            /** Answer */
            answer: string | null;
            /** Error */
            error: string | null;
            /** Figures */
            figures: {
                [key: string]: number | null;
            };
        };
        /**
         * CaseSourceView
         * @description deleted: the answer is gone since.
         */
        CaseSourceView: {
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /** App Version */
            app_version: string | null;
            /**
             * Answered At
             * Format: date-time
             */
            answered_at: string;
            /** Was Bad */
            was_bad: boolean;
            /**
             * Added At
             * Format: date-time
             */
            added_at: string;
            /** Added By */
            added_by: string;
            /** Deleted */
            deleted: boolean;
        };
        /**
         * CaseState
         * @description How a case with notes of its own came out in runs over the versions of its dataset: it fails,
         *     it passes, or it passes after it failed (`mended`). release: that of the run since which it
         *     passes, else the run's name; null while it fails.
         */
        CaseState: {
            /**
             * State
             * @enum {string}
             */
            state: "failing" | "passing" | "mended";
            /** Release */
            release: string | null;
            /** Run Id */
            run_id: string | null;
        };
        /**
         * CaseView
         * @description notes: its own, which runs answer it from; empty where they search. expects_refusal: the
         *     notes do not say, and the answer is to say so. source: the answer that it is made from. state:
         *     null until a run could tell.
         */
        CaseView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Position */
            position: number;
            /** Question */
            question: string;
            /** Ground Truth Chunk Ids */
            ground_truth_chunk_ids: string[];
            /** Reference Answer */
            reference_answer: string | null;
            /** Lang */
            lang: string;
            /** Notes */
            notes: components["schemas"]["CaseNoteView"][];
            /** Expects Refusal */
            expects_refusal: boolean;
            source: components["schemas"]["CaseSourceView"] | null;
            state: components["schemas"]["CaseState"] | null;
        };
        /**
         * Cause
         * @description Answers that differ: of one model that answered, judge, notebook, version of the judge's
         *     prompt, language, feature, release or environment; without a score for one reason; or that cite
         *     or misquote one note.
         *
         *     value: an id for notebooks and notes of ours, which `name` names; of copies of a note, with the
         *     same text but for case and white space, their ids with spaces between. part: of the change that
         *     is theirs alone, from 0.3; of one dimension to the next they overlap. share_before, share_after:
         *     of all answers; mean_before, mean_after: of the series over them, null without answers.
         */
        Cause: {
            /**
             * Dimension
             * @enum {string}
             */
            dimension: "answer_model" | "judge_model" | "notebook" | "prompt_version" | "lang" | "feature" | "app_version" | "environment" | "reason" | "misquoted_note" | "cited_note";
            /** Value */
            value: string;
            /** Name */
            name: string | null;
            /** Part */
            part: number;
            /** Share Before */
            share_before: number;
            /** Share After */
            share_after: number;
            /** Mean Before */
            mean_before: number | null;
            /** Mean After */
            mean_after: number | null;
        };
        /**
         * CellSize
         * @description Stored answers with one chance of being drawn, and how many labels of theirs a bench has.
         */
        CellSize: {
            /** Answers */
            answers: number;
            /** Labels */
            labels: number;
        };
        /**
         * Change
         * @description By how much a mean is above that of the release before, -1 to 1, with its 95 % interval.
         *     p_value: chance of a change at least as large if the two were alike.
         */
        Change: {
            /** Change */
            change: number;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** P Value */
            p_value: number;
        };
        /**
         * ChangeKind
         * @description What became of a case, in the order in which cases are shown.
         *
         *     error: measured in the first run, failed with an error in the second; recovered: the other way
         *     round; lower, higher: in another band on the same side of the line between pass and fail.
         * @enum {string}
         */
        ChangeKind: "error" | "now_fails" | "now_passes" | "recovered" | "lower" | "higher" | "same";
        /**
         * ChatOptions
         * @description mode `search` lets insight answer from notes. context_notes replace the search;
         *     note_titles name them in the same order. classification leads the search; profile and slots
         *     tell about the asker and lead the improvement of an answer. conversation_id: a UUID that the
         *     client chose; the answer is added to that conversation of the asker, which begins with its
         *     first answer.
         */
        ChatOptions: {
            /** History */
            history?: components["schemas"]["TurnCreate"][] | null;
            /** Conversation Id */
            conversation_id?: string | null;
            /** App Version */
            app_version?: string | null;
            /** Environment */
            environment?: string | null;
            /** User Ref */
            user_ref?: string | null;
            /** Session Id */
            session_id?: string | null;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /**
             * Attributes
             * @default {}
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            /** Mode */
            mode?: "search" | null;
            /** Context Notes */
            context_notes?: string[] | null;
            /**
             * Note Titles
             * @default []
             */
            note_titles?: string[];
            /** Notebook Id */
            notebook_id?: string | null;
            /** Note Id */
            note_id?: string | null;
            classification?: components["schemas"]["Classification"] | null;
            /** Profile */
            profile?: string | null;
            slots?: components["schemas"]["Slots"] | null;
        };
        /**
         * CitationPhaseView
         * @description `context_relevance`: cited of all evidence; `citation_relevance`: the mean relevance of
         *     what was cited. Null when there is no evidence. `unknown_notes`: numbers that the answer
         *     cites and no note has.
         */
        CitationPhaseView: {
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
            /** Fallback */
            fallback: string | null;
            /** Context Relevance */
            context_relevance: number | null;
            /** Citation Relevance */
            citation_relevance: number | null;
            /** Citations */
            citations: components["schemas"]["CitationView"][];
            /** Unknown Notes */
            unknown_notes: number[];
        };
        /**
         * CitationView
         * @description A sentence of the answer (characters `start` to `end`) that uses a note. `supported` is
         *     null where it cannot be told.
         */
        CitationView: {
            /** Note Index */
            note_index: number;
            /** Start */
            start: number;
            /** End */
            end: number;
            /** Marked */
            marked: boolean;
            /** Supported */
            supported: boolean | null;
            /** Quote */
            quote: string;
        };
        /**
         * ClaimView
         * @description A statement of the answer, its characters `start` to `end`; both null when it could not
         *     be found there. `note_index` and `quote` are what bears it out or says otherwise; `position`
         *     (from 1) names the claim where people label it. `fault`, of one that is not supported:
         *     `contradicted` (a note says otherwise), `not_in_notes`, `misattributed` (another note than the
         *     cited one says it) or `stitched` (it joins what no note joins); null on older verdicts.
         */
        ClaimView: {
            /** Position */
            position: number;
            /** Claim */
            claim: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "supported" | "partly" | "unsupported";
            /** Fault */
            fault?: ("contradicted" | "not_in_notes" | "misattributed" | "stitched") | null;
            /** Note Index */
            note_index: number | null;
            /** Quote */
            quote: string;
            /** Quote Found */
            quote_found: boolean | null;
            /** Start */
            start: number | null;
            /** End */
            end: number | null;
            /** Reasoning */
            reasoning: string;
        };
        /**
         * Classification
         * @description What the question is about, as another program has found it (from a picture, say).
         */
        Classification: {
            /** Major Category */
            major_category: string;
            /** Minor Category */
            minor_category?: string | null;
        };
        /**
         * ComparedCase
         * @description `change` is the most severe of `changes`, which are those of single figures.
         */
        ComparedCase: {
            /** Question */
            question: string;
            change: components["schemas"]["ChangeKind"];
            /** Changes */
            changes: components["schemas"]["CaseChange-Output"][];
            first: components["schemas"]["CaseSide"];
            second: components["schemas"]["CaseSide"];
        };
        /**
         * ComparedCases
         * @description `counts`: cases by what became of them, whichever are shown. `next`: the `after` of the
         *     next page, null on the last.
         */
        ComparedCases: {
            /** Counts */
            counts: {
                [key: string]: number;
            };
            /** Items */
            items: components["schemas"]["ComparedCase"][];
            /** Next */
            next: number | null;
        };
        /**
         * Comparison
         * @description `only_first`, `only_second`: questions that the other run did not have. `notes_changed`:
         *     questions of which a passage of the ground truth still existed in one of the runs only.
         *     `flipped`: worst first.
         */
        Comparison: {
            /**
             * First Id
             * Format: uuid
             */
            first_id: string;
            /**
             * Second Id
             * Format: uuid
             */
            second_id: string;
            /** First Name */
            first_name: string;
            /** Second Name */
            second_name: string;
            /** First K */
            first_k: number;
            /** Second K */
            second_k: number;
            first_retrieval: components["schemas"]["Retrieval"];
            second_retrieval: components["schemas"]["Retrieval"];
            /** Not Compared */
            not_compared: components["schemas"]["NotCompared"][];
            /** Differences */
            differences: components["schemas"]["MeanDifference"][];
            /** Flipped */
            flipped: components["schemas"]["Flipped"][];
            /** Only First */
            only_first: number;
            /** Only Second */
            only_second: number;
            /** Notes Changed */
            notes_changed: number;
            /** First Cost Usd */
            first_cost_usd: number | null;
            /** Second Cost Usd */
            second_cost_usd: number | null;
            /** First Latency Ms */
            first_latency_ms: number | null;
            /** Second Latency Ms */
            second_latency_ms: number | null;
        };
        /**
         * CompletenessPhaseView
         * @description Null `completeness`: nobody knows what a complete answer holds.
         */
        CompletenessPhaseView: {
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
            /** Fallback */
            fallback: string | null;
            /** Completeness */
            completeness: number | null;
            /** Nuggets */
            nuggets: components["schemas"]["NuggetView"][];
        };
        /**
         * Condition
         * @description The most severe first. `stuck`: verdicts are due, workers live, and none claims any.
         *     `slow_judge`: workers claim them, and the judge is slower than answers come. `unknown`: too
         *     little has been reported lately, as after a start or an outage of PostgreSQL, or by dispatchers
         *     that cannot read what waits. `unindexed`: searches of large workspaces by vectors are slow,
         *     because they have no index of them. `model_ending`: a model in use ends soon, or has ended.
         * @enum {string}
         */
        Condition: "redis_unreachable" | "no_dispatcher" | "no_worker" | "stuck" | "judge_paused" | "slow_judge" | "unknown" | "model_ending" | "unindexed" | "ok";
        /**
         * Confusion
         * @description Counts of labelled answers, and the figures made of them, 0 to 1 or None where the
         *     denominator is 0.
         */
        Confusion: {
            /** True Positives */
            true_positives: number;
            /** False Positives */
            false_positives: number;
            /** False Negatives */
            false_negatives: number;
            /** True Negatives */
            true_negatives: number;
        };
        /**
         * ConversationAnswerPage
         * @description `next` continues the list; it is null on the last page.
         */
        ConversationAnswerPage: {
            /** Items */
            items: components["schemas"]["ConversationAnswerView"][];
            /** Next */
            next: string | null;
        };
        /**
         * ConversationAnswerView
         * @description `id` is that of the answer; status, reason and error are those of the evaluation that
         *     counts. standalone_question: how a question that needs those before it was understood.
         */
        ConversationAnswerView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Question */
            question: string;
            /** Standalone Question */
            standalone_question: string | null;
            /** Answer */
            answer: string;
            /**
             * Lang
             * @enum {string}
             */
            lang: "ko" | "en";
            /** Feature */
            feature: string;
            /** Notebook Id */
            notebook_id: string | null;
            /** Matched Notes */
            matched_notes: components["schemas"]["MatchedNote"][];
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            status: components["schemas"]["Status"];
            /** Reason */
            reason: string | null;
            /** Error */
            error: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
        };
        /**
         * ConversationChange
         * @description title null: the conversation goes by its first question again.
         */
        ConversationChange: {
            /** Title */
            title: string | null;
        };
        /**
         * ConversationPage
         * @description `next` continues the list; it is null on the last page.
         */
        ConversationPage: {
            /** Items */
            items: components["schemas"]["ConversationView"][];
            /** Next */
            next: string | null;
        };
        /**
         * ConversationView
         * @description title: as its owner has `named` it, else the beginning of the first question.
         */
        ConversationView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Title */
            title: string;
            /** Named */
            named: boolean;
            /** Answers */
            answers: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Last Asked At
             * Format: date-time
             */
            last_asked_at: string;
        };
        /**
         * Counted
         * @description What is counted beside the outcomes of traces.
         * @enum {string}
         */
        Counted: "requests" | "spans" | "rejected_spans" | "duplicate_spans" | "cut_texts" | "late_spans" | "answers";
        /**
         * CriterionCreate
         * @description question: what is asked of each answer. kind: `model` has the judge asked in the call of the
         *     verdict; `regex` looks for `pattern` in the answer, `json_schema` wants the answer to be JSON of
         *     that schema, and `length` counts its characters. scale: two to five words, the lowest first, or
         *     empty for a number from 0 to 1; of a rule the words for no and yes, or empty. features,
         *     languages: of the answers that it is for; null for all. note: what changed, and why.
         */
        CriterionCreate: {
            /** Name */
            name: string;
            /** Question */
            question: string;
            /**
             * Kind
             * @default model
             * @enum {string}
             */
            kind?: "model" | "regex" | "json_schema" | "length";
            /** Scale */
            scale?: string[];
            /** Pattern */
            pattern?: string | null;
            /** Json Schema */
            json_schema?: {
                [key: string]: unknown;
            } | null;
            /** Min Chars */
            min_chars?: number | null;
            /** Max Chars */
            max_chars?: number | null;
            /** Features */
            features?: ("search_qa" | "insight" | "writing")[] | null;
            /** Languages */
            languages?: ("ko" | "en")[] | null;
            /**
             * Note
             * @default
             */
            note?: string;
        };
        /**
         * CriterionExample
         * @description A criterion to begin with. Fields as those of CriterionVersion.
         */
        CriterionExample: {
            /** Name */
            name: string;
            /** Question */
            question: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "model" | "regex" | "json_schema" | "length";
            /** Scale */
            scale: string[];
        };
        /**
         * CriterionMean
         * @description Of a criterion of the workspace: the mean over the `scored` of the answers that it was for;
         *     null where none has a score.
         */
        CriterionMean: {
            /** Name */
            name: string;
            /** Version */
            version: number;
            /** Mean */
            mean: number | null;
            /** Scored */
            scored: number;
            /** Answers */
            answers: number;
        };
        /**
         * CriterionOfCase
         * @description The score by a criterion of the workspace; null where nobody said.
         */
        CriterionOfCase: {
            /** Version */
            version: number;
            /** Value */
            value: number | null;
            /** Label */
            label: string | null;
            /** Reasoning */
            reasoning: string | null;
        };
        /**
         * CriterionPage
         * @description `next` continues the list; it is null on the last page.
         */
        CriterionPage: {
            /** Items */
            items: components["schemas"]["CriterionVersion"][];
            /** Next */
            next: string | null;
        };
        /**
         * CriterionScoreView
         * @description What the verdict says by a criterion of the workspace, in that version. value: 0 to 1, null
         *     where nobody said; label: the word of its scale; reasoning: the judge's, or why a rule could not
         *     be applied.
         */
        CriterionScoreView: {
            /** Name */
            name: string;
            /** Version */
            version: number;
            /** Value */
            value: number | null;
            /** Label */
            label: string | null;
            /** Reasoning */
            reasoning: string | null;
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
        };
        /**
         * CriterionSummary
         * @description The score by a criterion of the workspace in that version; null where nobody said.
         */
        CriterionSummary: {
            /** Version */
            version: number;
            /** Value */
            value: number | null;
            /** Label */
            label: string | null;
        };
        /**
         * CriterionVersion
         * @description A version of a criterion. reference: how the evaluators of a verdict name it. question: what
         *     is asked of an answer. kind: who decides: the judge's model, or a rule. scale: words, the lowest
         *     first; empty for a number from 0 to 1, or for a rule, 0 or 1. features, languages: of the
         *     answers that it is for, null for all. in_force: whether new verdicts have it. archived_at: since
         *     when no version of the name is; null otherwise.
         */
        CriterionVersion: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Version */
            version: number;
            /** Reference */
            reference: string;
            /** Question */
            question: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "model" | "regex" | "json_schema" | "length";
            /** Scale */
            scale: string[];
            /** Pattern */
            pattern: string | null;
            /** Json Schema */
            json_schema: {
                [key: string]: unknown;
            } | null;
            /** Min Chars */
            min_chars: number | null;
            /** Max Chars */
            max_chars: number | null;
            /** Features */
            features: string[] | null;
            /** Languages */
            languages: ("ko" | "en")[] | null;
            /** Note */
            note: string;
            /** Made By */
            made_by: string;
            /** In Force */
            in_force: boolean;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Archived At */
            archived_at: string | null;
        };
        /**
         * DatasetCreate
         * @description A new version of the dataset of that name. notebook_id: the only notebook to search.
         */
        DatasetCreate: {
            /** Name */
            name: string;
            /** Notebook Id */
            notebook_id?: string | null;
            /** Test Cases */
            test_cases: components["schemas"]["CaseCreate"][];
        };
        /** DatasetDetail */
        DatasetDetail: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Version */
            version: number;
            /** Notebook Id */
            notebook_id: string | null;
            /** Origin */
            origin: {
                [key: string]: unknown;
            };
            /** Cases */
            cases: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Test Cases */
            test_cases: components["schemas"]["CaseView"][];
            /** Review */
            readonly review: ("proposed" | "accepted") | null;
        };
        /**
         * DatasetGenerate
         * @description The same seed samples the same chunks of the same notes.
         */
        DatasetGenerate: {
            /** Name */
            name: string;
            /**
             * Notebook Id
             * Format: uuid
             */
            notebook_id: string;
            /**
             * Questions Per Chunk
             * @default 2
             */
            questions_per_chunk?: number;
            /**
             * Max Chunks Sample
             * @default 50
             */
            max_chunks_sample?: number;
            /**
             * Seed
             * @default 0
             */
            seed?: number;
        };
        /**
         * DatasetPage
         * @description `next` continues the list; it is null on the last page.
         */
        DatasetPage: {
            /** Items */
            items: components["schemas"]["DatasetView"][];
            /** Next */
            next: string | null;
        };
        /**
         * DatasetReview
         * @description Cases by their ids; those that are not named are accepted as they are.
         */
        DatasetReview: {
            /**
             * Reject
             * @default []
             */
            reject?: string[];
            /**
             * Edit
             * @default []
             */
            edit?: components["schemas"]["CaseChange-Input"][];
        };
        /**
         * DatasetView
         * @description One version of a dataset; `cases` is how many it has. `origin` says where they are from.
         *     `review` is `proposed` for generated questions, `accepted` for what a person has left of a
         *     version, and null for questions that were brought in.
         */
        DatasetView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Version */
            version: number;
            /** Notebook Id */
            notebook_id: string | null;
            /** Origin */
            origin: {
                [key: string]: unknown;
            };
            /** Cases */
            cases: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Review */
            readonly review: ("proposed" | "accepted") | null;
        };
        /**
         * DeliveryPage
         * @description Newest first. `next` continues the list; it is null on the last page.
         */
        DeliveryPage: {
            /** Items */
            items: components["schemas"]["DeliveryView"][];
            /** Next */
            next: string | null;
        };
        /**
         * DeliveryStatus
         * @description pending ──▶ delivered ──▶ pending (replayed)
         *        └──────▶ failed ─────▶ pending (replayed)
         *
         *     A delivery under way is pending with a `lease_until` in the future.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /**
         * DeliveryView
         * @description An event for one webhook. tries: since the event or the last replay. next_attempt_at: null
         *     unless it is pending. attempts: the last ones, oldest first.
         */
        DeliveryView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Webhook Id
             * Format: uuid
             */
            webhook_id: string;
            /** Event */
            event: string;
            /** Evaluation Id */
            evaluation_id: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /** Tries */
            tries: number;
            /** Next Attempt At */
            next_attempt_at: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Finished At */
            finished_at: string | null;
            /** Attempts */
            attempts: components["schemas"]["AttemptView"][];
            /** Data */
            data: {
                [key: string]: unknown;
            };
        };
        /**
         * Diagnosis
         * @description Where a pipeline is weak, by its retrieval and its answers.
         * @enum {string}
         */
        Diagnosis: "healthy" | "generation_problem" | "model_fills_in" | "retrieval_first";
        /** DiagnosisRead */
        DiagnosisRead: {
            /** Title */
            title: string;
            /** Symptom */
            symptom: string;
            /** Cause */
            cause: string;
            /** Actions */
            actions: string[];
            diagnosis: components["schemas"]["Diagnosis"];
        };
        /**
         * Direction
         * @enum {string}
         */
        Direction: "above" | "below";
        /**
         * DisabledReason
         * @description Why the server switched a webhook off: its receiver answered 410 Gone, or has taken nothing
         *     for days. NULL where people did.
         * @enum {string}
         */
        DisabledReason: "gone" | "failing";
        /**
         * DisposalRules
         * @description The best note of a search as it was when the answer was made: up to 2,000 characters of its
         *     text. category: as the note has it now, null without one and when the note is gone. The name
         *     is from the first domain this was made for.
         */
        DisposalRules: {
            /** Key */
            key: string;
            /** Category */
            category: string | null;
            /** Data */
            data: string;
        };
        /**
         * DocumentView
         * @description A note as the answer was given it. `id` is the note's, or another application's.
         */
        DocumentView: {
            /** Id */
            id: string;
            /** Title */
            title: string;
            /** Content */
            content: string;
        };
        /**
         * Draw
         * @description size: as asked for; drawn may be less where there were fewer answers. answers: size of the
         *     frame. The same seed over the same answers draws the same.
         */
        Draw: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Seed */
            seed: number;
            /** Size */
            size: number;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Until
             * Format: date-time
             */
            until: string;
            /** Notebook Id */
            notebook_id: string | null;
            /** Judge Model */
            judge_model: string | null;
            /** Stratify */
            stratify: ("confidence" | "lang" | "judge" | "model" | "notebook" | "feature")[];
            /** Answers */
            answers: number;
            /** Drawn */
            drawn: number;
            /** Labelled */
            labelled: number;
            /** Strata */
            strata: components["schemas"]["Stratum"][];
        };
        /**
         * DrawCreate
         * @description `since` is included, `until` is not; without them the 30 days until now. `stratify` divides
         *     the answers, and draws from each part. `seed` repeats an earlier draw over the same answers.
         */
        DrawCreate: {
            /**
             * Size
             * @default 200
             */
            size?: number;
            /**
             * Stratify
             * @default []
             */
            stratify?: ("confidence" | "lang" | "judge" | "model" | "notebook" | "feature")[];
            /** Since */
            since?: string | null;
            /** Until */
            until?: string | null;
            /** Notebook Id */
            notebook_id?: string | null;
            /** Judge Model */
            judge_model?: string | null;
            /** Seed */
            seed?: number | null;
        };
        /**
         * DrawnAnswer
         * @description By the verdict that counts, `id`, but without anything that it says: who has seen it agrees
         *     with it more often.
         */
        DrawnAnswer: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            /** Question */
            question: string;
            /** Lang */
            lang: string;
        };
        /**
         * DrawnItem
         * @description position: in its draw, from 1; number: through all draws, from 1.
         */
        DrawnItem: {
            /**
             * Draw Id
             * Format: uuid
             */
            draw_id: string;
            /** Position */
            position: number;
            /** Number */
            number: number;
            /** Inclusion Probability */
            inclusion_probability: number;
            evaluation: components["schemas"]["DrawnAnswer"];
        };
        /**
         * DrawnQueue
         * @description queue: what is to be labelled next, in the order drawn, `remaining` in all; labelled of drawn
         *     answers have a label by anybody.
         */
        DrawnQueue: {
            /** Queue */
            queue: components["schemas"]["DrawnItem"][];
            /** Remaining */
            remaining: number;
            /** Labelled */
            labelled: number;
            /** Drawn */
            drawn: number;
        };
        /**
         * EmbeddingStarted
         * @description `job_id` is that of the job that makes what lacks; null where nothing does.
         */
        EmbeddingStarted: {
            /** Model */
            model: string | null;
            /** Chunks */
            chunks: number;
            /** Embedded */
            embedded: number;
            /** Refused */
            refused: number;
            /** Job Id */
            job_id: string | null;
        };
        /**
         * EmbeddingsRead
         * @description `chunks` are the passages of the notes; `embedded` of them have a vector of `model`, and
         *     `refused` are those that it does not take. `model` is null where notes are found by words
         *     alone.
         */
        EmbeddingsRead: {
            /** Model */
            model: string | null;
            /** Chunks */
            chunks: number;
            /** Embedded */
            embedded: number;
            /** Refused */
            refused: number;
        };
        /**
         * EndingModel
         * @description days: until its last day, 0 or less once that has come.
         */
        EndingModel: {
            /** Model */
            model: string;
            /**
             * Ends On
             * Format: date
             */
            ends_on: string;
            /** Days */
            days: number;
            /** Uses */
            uses: components["schemas"]["ModelUse"][];
        };
        /**
         * Estimate
         * @description A figure and the 95 % bootstrap interval around it; None where there is none.
         */
        Estimate: {
            /** Value */
            value: number | null;
            interval: components["schemas"]["Interval"] | null;
        };
        /**
         * EstimateRead
         * @description Calls of models, tokens and US dollars; null where nobody knows a price.
         */
        EstimateRead: {
            /** Calls */
            calls: number;
            /** Prompt Tokens */
            prompt_tokens: number;
            /** Completion Tokens */
            completion_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
        };
        /**
         * EvaluationCreate
         * @description An answer that another application gave, with the notes it was given. profile and slots
         *     tell about the asker. conversation_id: one of yours, whose turns come before.
         */
        EvaluationCreate: {
            /** History */
            history?: components["schemas"]["TurnCreate"][] | null;
            /** Conversation Id */
            conversation_id?: string | null;
            /** App Version */
            app_version?: string | null;
            /** Environment */
            environment?: string | null;
            /** User Ref */
            user_ref?: string | null;
            /** Session Id */
            session_id?: string | null;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /**
             * Attributes
             * @default {}
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            /** Question */
            question: string;
            /** Answer */
            answer: string;
            /**
             * Sources
             * @default []
             */
            sources?: components["schemas"]["SourceCreate"][];
            /** Lang */
            lang?: ("ko" | "en") | null;
            /** @default search_qa */
            feature?: components["schemas"]["Feature"];
            /** Model */
            model?: string | null;
            /** Profile */
            profile?: string | null;
            slots?: components["schemas"]["Slots"] | null;
        };
        /** EvaluationCreated */
        EvaluationCreated: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            status: components["schemas"]["Status"];
            /** Reason */
            reason: string | null;
        };
        /**
         * EvaluationPage
         * @description `next` continues the list; it is null on the last page.
         */
        EvaluationPage: {
            /** Items */
            items: components["schemas"]["EvaluationRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * EvaluationRow
         * @description One verdict in a list. Scores are null without a verdict. `answered_at`: when the answer was
         *     stored, `created_at`: when this verdict was asked for. `answer_snippet` is the beginning of the
         *     answer, `cited_title` the title of the first note that it cites; `issues` counts grounding
         *     issues. `provider` and `model` judged, `judge_model` was asked to; `judged_by` says what kind of
         *     judge gave the verdict. `outcome`: of rules, null for models; `decided`: false where rules could
         *     not tell, and scores say little. `state`: what the verdict comes to, in one word. `criteria`:
         *     the scores by the workspace's own, by name.
         */
        EvaluationRow: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            status: components["schemas"]["Status"];
            /** Reason */
            reason: string | null;
            /** Error */
            error: string | null;
            /** Degraded */
            degraded: boolean;
            /** Judged By */
            judged_by: ("model" | "local" | "rules") | null;
            /** Is Current */
            is_current: boolean;
            /** Question */
            question: string;
            /** Lang */
            lang: string;
            /** Feature */
            feature: string;
            /** Notebook Id */
            notebook_id: string | null;
            /** Answer Model */
            answer_model: string | null;
            /** Judge Model */
            judge_model: string;
            /** Provider */
            provider: string | null;
            /** Model */
            model: string | null;
            /** Confidence */
            confidence: string | null;
            /** Outcome */
            outcome: ("matches" | "mismatch" | "undecided" | "rightly_refused" | "falsely_refused") | null;
            /** Decided */
            decided: boolean;
            /** State */
            state: ("confirmed" | "incomplete" | "off_topic" | "partly" | "contradicted" | "not_in_notes" | "rightly_refused" | "falsely_refused" | "not_judged") | null;
            /** Correctness */
            correctness: number | null;
            /** Utility */
            utility: number | null;
            /** Overall Score */
            overall_score: number | null;
            /** Needs Improvement */
            needs_improvement: boolean | null;
            /** Cost Usd */
            cost_usd: number | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Answered At
             * Format: date-time
             */
            answered_at: string;
            /** Finished At */
            finished_at: string | null;
            quality: components["schemas"]["QualitySummary"] | null;
            /** Criteria */
            criteria: {
                [key: string]: components["schemas"]["CriterionSummary"];
            };
            human: components["schemas"]["HumanSummary"] | null;
            /** App Version */
            app_version: string | null;
            /** Environment */
            environment: string | null;
            /** User Ref */
            user_ref: string | null;
            /** Session Id */
            session_id: string | null;
            /** Tags */
            tags: string[];
            /** Attributes */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** Answer Snippet */
            answer_snippet: string;
            /** Cited Title */
            cited_title: string | null;
            /** Issues */
            issues: number;
        };
        /**
         * EvaluationSettings
         * @description policy: what the workspace has set; server: what holds where it has not; effective: what
         *     holds; sources: who says so, by field. version: 0 while nothing was ever set. problems: what of
         *     it cannot work as things stand. budget: null without a daily budget. calibrations: which judges
         *     have a guarantee, and since when. cascade_calibration: the thresholds of the cascade; null where
         *     it was never calibrated.
         */
        EvaluationSettings: {
            /** Version */
            version: number;
            /** Updated At */
            updated_at: string | null;
            policy: components["schemas"]["WorkspacePolicy"];
            server: components["schemas"]["WorkspacePolicy"];
            effective: components["schemas"]["WorkspacePolicy"];
            /** Sources */
            sources: {
                [key: string]: "workspace" | "server";
            };
            /** Problems */
            problems: string[];
            budget: components["schemas"]["BudgetRead"] | null;
            /** Calibrations */
            calibrations: components["schemas"]["CalibrationRead"][];
            cascade_calibration: components["schemas"]["CascadeCalibrationRead"] | null;
        };
        /**
         * EvaluationType
         * @description retrieval_only: what the search finds. full_rag: also the answer made from it, judged.
         * @enum {string}
         */
        EvaluationType: "retrieval_only" | "full_rag";
        /**
         * EvaluationView
         * @description One verdict. `qa_evaluation`, `quality` and `feedback` are null until it has succeeded, and
         *     where they were not asked for; `human` is null while nobody has labelled it. `current_id` is
         *     the verdict of the answer that counts: another one where it was judged again since, or is
         *     being judged again now.
         *     judged_by: who gave the verdict, null until it has succeeded; degraded: rules did, because the
         *     judge that was asked for failed.
         *     fallback_because: why another judge than was asked for judges.
         *     from_cache: a reply was one to an identical request for another answer, and cost nothing.
         *     cascade: the judges that were asked in turn, empty where one judged alone; tokens and cost are
         *     those of all of them together.
         *     criteria: scores by the workspace's own criteria that are for this answer.
         *     policy_version: of the workspace's policy when the answer was finished, 0 without one.
         *     app_version … attributes: what the application said of the answer. user_ref: begins with `hmac:`
         *     where it is a hash.
         *     history: the turns before it that the judge was shown, the oldest first; standalone_question:
         *     what its question was understood as, null where it stands alone.
         */
        EvaluationView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            status: components["schemas"]["Status"];
            /** Reason */
            reason: string | null;
            /** Error */
            error: string | null;
            /** Degraded */
            degraded: boolean;
            /** Judged By */
            judged_by: ("model" | "local" | "rules") | null;
            /** Is Current */
            is_current: boolean;
            /**
             * Current Id
             * Format: uuid
             */
            current_id: string;
            /** Attempt */
            attempt: number;
            /** Question */
            question: string;
            /** Answer */
            answer: string;
            /** Lang */
            lang: string;
            /** Feature */
            feature: string;
            search: components["schemas"]["SearchView"];
            /** Evaluators */
            evaluators: string[];
            /** Judge Model */
            judge_model: string;
            /** Fallback Because */
            fallback_because: string | null;
            /** Cascade */
            cascade: components["schemas"]["CascadeStepView"][];
            /** Policy Version */
            policy_version: number;
            /** Provider */
            provider: string | null;
            /** Model */
            model: string | null;
            /** Prompt Version */
            prompt_version: string | null;
            /** Prompt Tokens */
            prompt_tokens: number | null;
            /** Completion Tokens */
            completion_tokens: number | null;
            /** Cost Usd */
            cost_usd: number | null;
            /** From Cache */
            from_cache: boolean;
            /** Queue Ms */
            queue_ms: number | null;
            /** Judge Ms */
            judge_ms: number | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Started At */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /** Next Attempt At */
            next_attempt_at: string | null;
            qa_evaluation: components["schemas"]["SearchQAEvaluationView"] | null;
            quality: components["schemas"]["QualityResultView"] | null;
            feedback: components["schemas"]["FeedbackView"] | null;
            /** Criteria */
            criteria: components["schemas"]["CriterionScoreView"][];
            refinement: components["schemas"]["RefinementSummary"] | null;
            human: components["schemas"]["HumanSummary"] | null;
            /** App Version */
            app_version: string | null;
            /** Environment */
            environment: string | null;
            /** User Ref */
            user_ref: string | null;
            /** Session Id */
            session_id: string | null;
            /** Tags */
            tags: string[];
            /** Attributes */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** History */
            history: components["schemas"]["Turn"][];
            /** Standalone Question */
            standalone_question: string | null;
        };
        /**
         * EventName
         * @description Verdict events come from a trigger on verdict_events, those of judges from one on
         *     judge_pauses, changes of quality from one on quality_alarms, failures that recur from one on
         *     recurring_failures, in the transaction of what they tell of (migrations/functions). The
         *     dispatcher looks for backlogs, thresholds and models that end.
         * @enum {string}
         */
        EventName: "verdict.succeeded" | "verdict.failed" | "judge.paused" | "judge.resumed" | "backlog.old" | "threshold.crossed" | "quality.changed" | "failure.opened" | "failure.reopened" | "model.ending" | "webhook.disabled";
        /**
         * EvidenceView
         * @description A passage that was found for the question, and how.
         */
        EvidenceView: {
            /** Chunk Id */
            chunk_id: string;
            /**
             * Relevance
             * @enum {string}
             */
            relevance: "high" | "medium" | "low";
            /** Quoted Text */
            quoted_text: string;
            /** Matched Tags */
            matched_tags: string[];
            /**
             * Method
             * @enum {string}
             */
            method: "classification" | "contextual" | "keyword" | "client" | "note";
            /** Note Index */
            note_index: number | null;
        };
        /**
         * Example
         * @description A labelled answer, cut to what an example may have. wrong_parts: what people called wrong.
         */
        Example: {
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            /** Question */
            question: string;
            /** Notes */
            notes: string[];
            /** Answer */
            answer: string;
            /**
             * People
             * @enum {string}
             */
            people: "right" | "partly" | "wrong";
            /** Wrong Parts */
            wrong_parts: string[];
        };
        /** ExportRequest */
        ExportRequest: {
            /** Evaluation Ids */
            evaluation_ids: string[];
            /** @default csv */
            format?: components["schemas"]["RecordFormat"];
        };
        /**
         * Extent
         * @description Lengths in characters. What was judged is the beginning of the answer; of the notes, each
         *     has its share.
         */
        Extent: {
            /** Answer Chars */
            answer_chars: number;
            /** Judged Answer Chars */
            judged_answer_chars: number;
            /** Note Chars */
            note_chars: number;
            /** Judged Note Chars */
            judged_note_chars: number;
        };
        /**
         * FailureCode
         * @enum {string}
         */
        FailureCode: "address_not_allowed" | "name_not_resolved" | "timed_out" | "connection_failed" | "tls_failed" | "redirected" | "refused" | "gone" | "not_accepted" | "not_written" | "worker_died" | "internal_error";
        /**
         * FailureExample
         * @description claim, reasoning: the doubted statement and what the judge said of it; null of the whole
         *     answer.
         */
        FailureExample: {
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /**
             * Answered At
             * Format: date-time
             */
            answered_at: string;
            /** Question */
            question: string;
            /** Claim */
            claim: string | null;
            /** Reasoning */
            reasoning: string | null;
            /** App Version */
            app_version: string | null;
        };
        /**
         * FailurePage
         * @description Most answers first. dropped: answers whose group gave way to newer ones, because a workspace
         *     has at most 2,000.
         */
        FailurePage: {
            /** Items */
            items: components["schemas"]["RecurringFailureRead"][];
            /** Next */
            next: string | null;
            /** Dropped */
            dropped: number;
        };
        /**
         * FailureRelease
         * @description app_version: null of answers without one.
         */
        FailureRelease: {
            /** App Version */
            app_version: string | null;
            /** Answers */
            answers: number;
            /**
             * First Seen At
             * Format: date-time
             */
            first_seen_at: string;
            /**
             * Last Seen At
             * Format: date-time
             */
            last_seen_at: string;
        };
        /**
         * FailureState
         * @description open ──▶ mended ──▶ open (came back in a release that is not older)
         *       └────▶ ignored
         *
         *     People may set any of them.
         * @enum {string}
         */
        FailureState: "open" | "mended" | "ignored";
        /**
         * FailureUpdate
         * @description What is left out stays as it is; an owner of null is nobody. mended_in: the release that
         *     mends it, with the state `mended` only; without it any later answer opens the failure again.
         */
        FailureUpdate: {
            /** Owner */
            owner?: string | null;
            state?: components["schemas"]["FailureState"] | null;
            /** Mended In */
            mended_in?: string | null;
        };
        /**
         * Feature
         * @description `search_qa` answers from notes; `insight` explains a text or, in search mode, notes;
         *     `writing` drafts.
         * @enum {string}
         */
        Feature: "search_qa" | "insight" | "writing";
        /**
         * FeedbackCreate
         * @description `claim_position` names one claim of the evaluation; without it the answer as a whole is
         *     meant, and only that may have a `utility_label`. `author` is the token's name when left out;
         *     another one takes the scope `admin`.
         */
        FeedbackCreate: {
            /**
             * Label
             * @enum {string}
             */
            label: "right" | "partly" | "wrong";
            /** Utility Label */
            utility_label?: ("useful" | "partly" | "useless") | null;
            /** Claim Position */
            claim_position?: number | null;
            /** Comment */
            comment?: string | null;
            /** Author */
            author?: string | null;
        };
        /**
         * FeedbackView
         * @description Those of the four phases that were run. `overall_score` is null when none of the first
         *     three had anything to check; below 0.7 the answer needs improvement.
         */
        FeedbackView: {
            /** Overall Score */
            overall_score: number | null;
            /** Needs Improvement */
            needs_improvement: boolean | null;
            citation: components["schemas"]["CitationPhaseView"] | null;
            completeness: components["schemas"]["CompletenessPhaseView"] | null;
            groundedness: components["schemas"]["GroundednessPhaseView"] | null;
            next_steps: components["schemas"]["NextStepsPhaseView"] | null;
        };
        /**
         * Flipped
         * @description A case that passed in one run and not in the other.
         */
        Flipped: {
            /** Name */
            name: string;
            change: components["schemas"]["ChangeKind"];
            /** First */
            first: number;
            /** Second */
            second: number;
            first_band: components["schemas"]["Band"];
            second_band: components["schemas"]["Band"];
            /** Question */
            question: string;
            /**
             * First Case Id
             * Format: uuid
             */
            first_case_id: string;
            /**
             * Second Case Id
             * Format: uuid
             */
            second_case_id: string;
        };
        /**
         * FormatName
         * @enum {string}
         */
        FormatName: "json" | "slack" | "otlp";
        /**
         * FoundPassage
         * @description `rank`: its place in what the answer was given, from 1, or null where the search missed it;
         *     `answers`: whether it is one of those that answer the question. note_id: null for a note of
         *     another application.
         */
        FoundPassage: {
            /** Id */
            id: string;
            /** Note Id */
            note_id: string | null;
            /** Title */
            title: string;
            /** Content */
            content: string;
            /** Rank */
            rank: number | null;
            /** Answers */
            answers: boolean;
        };
        /**
         * Gap
         * @description Positions of missing events, both ends included.
         */
        Gap: {
            /** First */
            first: number;
            /** Last */
            last: number;
        };
        /**
         * GateClaim
         * @description The beginning of a statement of the answer. note_index: the note that bears or contradicts
         *     it, from 1.
         */
        GateClaim: {
            /** Claim */
            claim: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "supported" | "partly" | "unsupported";
            /** Note Index */
            note_index: number | null;
        };
        /**
         * GateRead
         * @description decision: `allow` where the notes bear the answer out or it rightly says that they do not
         *     say; `hold` where they say otherwise; else `unknown`. outcome: why, for programs; reason: in a
         *     sentence, in the language of the answer. claims: the doubted ones first. quality: where the
         *     whole verdict stands that is to come; `not_stored` where the database did not take the answer by
         *     now.
         */
        GateRead: {
            /**
             * Decision
             * @enum {string}
             */
            decision: "allow" | "hold" | "unknown";
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "matches" | "mismatch" | "undecided" | "rightly_refused" | "falsely_refused" | "no_notes" | "over_budget" | "overloaded" | "failed";
            /** Reason */
            reason: string;
            /** Claims */
            claims: components["schemas"]["GateClaim"][];
            quality: components["schemas"]["QualityRead"];
            /** Elapsed Ms */
            elapsed_ms: number;
        };
        /**
         * GateRequest
         * @description As for POST /qa-evaluations, but without conversation_id. within: seconds until the reply,
         *     whatever has come of it.
         */
        GateRequest: {
            /** History */
            history?: components["schemas"]["TurnCreate"][] | null;
            /** Conversation Id */
            conversation_id?: string | null;
            /** App Version */
            app_version?: string | null;
            /** Environment */
            environment?: string | null;
            /** User Ref */
            user_ref?: string | null;
            /** Session Id */
            session_id?: string | null;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /**
             * Attributes
             * @default {}
             */
            attributes?: {
                [key: string]: string | number | boolean;
            };
            /** Question */
            question: string;
            /** Answer */
            answer: string;
            /**
             * Sources
             * @default []
             */
            sources?: components["schemas"]["SourceCreate"][];
            /** Lang */
            lang?: ("ko" | "en") | null;
            /** @default search_qa */
            feature?: components["schemas"]["Feature"];
            /** Model */
            model?: string | null;
            /** Profile */
            profile?: string | null;
            slots?: components["schemas"]["Slots"] | null;
            /**
             * Within
             * @default 1.5
             */
            within?: number;
        };
        /**
         * GenerationMetric
         * @description What of a generated answer is judged.
         * @enum {string}
         */
        GenerationMetric: "faithfulness" | "answer_relevancy";
        /**
         * GenerationMetrics
         * @description The means over all cases, failures counting 0.0, and what each rests on.
         */
        GenerationMetrics: {
            /** Mean Faithfulness */
            mean_faithfulness: number;
            /** Mean Answer Relevancy */
            mean_answer_relevancy: number;
            faithfulness: components["schemas"]["JudgedMean"];
            answer_relevancy: components["schemas"]["JudgedMean"];
        };
        /**
         * GivenNote
         * @description A note as the answering model was given it; `note_id` is null for notes that are not ours or
         *     gone.
         */
        GivenNote: {
            /** Note Index */
            note_index: number;
            /** Note Id */
            note_id: string | null;
            /** Title */
            title: string;
            /** Content */
            content: string;
        };
        /**
         * GroundednessPhaseView
         * @description Supported claims of all claims; null `groundedness`: nothing to check.
         */
        GroundednessPhaseView: {
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
            /** Fallback */
            fallback: string | null;
            /** Groundedness */
            groundedness: number | null;
            /** Claims */
            claims: components["schemas"]["ClaimView"][];
        };
        /**
         * GuaranteeView
         * @description What people's labels promise of a verdict with high confidence: of answers that this judge
         *     calls high with a correctness of at least `threshold`, at least a share `precision` is right,
         *     with this confidence; all 0 to 1. labels, labels_right: what it was tested on, at
         *     `calibrated_at`.
         *
         *     state: holds; below: the verdict is older than the guarantee and its score below the threshold;
         *     lapsed: the guarantee is for another judge, or another version of its prompt.
         */
        GuaranteeView: {
            /**
             * State
             * @enum {string}
             */
            state: "holds" | "below" | "lapsed";
            /** Precision */
            precision: number;
            /** Confidence */
            confidence: number;
            /** Threshold */
            threshold: number;
            /** Labels */
            labels: number;
            /** Labels Right */
            labels_right: number;
            /**
             * Calibrated At
             * Format: date-time
             */
            calibrated_at: string;
        };
        /**
         * HumanFeedbackView
         * @description What `author` says of the answer, or where `claim_position` is set, of that claim.
         */
        HumanFeedbackView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            /** Claim Position */
            claim_position: number | null;
            /**
             * Label
             * @enum {string}
             */
            label: "right" | "partly" | "wrong";
            /** Utility Label */
            utility_label: ("useful" | "partly" | "useless") | null;
            /** Comment */
            comment: string | null;
            /** Author */
            author: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * HumanSummary
         * @description What people say: how many called the whole answer right, partly right and wrong, and how
         *     many labels its claims have.
         */
        HumanSummary: {
            /** Right */
            right: number;
            /** Partly */
            partly: number;
            /** Wrong */
            wrong: number;
            /** Claims */
            claims: number;
        };
        /**
         * ImportRead
         * @description How many notes were new, changed, and already stored as they are.
         */
        ImportRead: {
            /** Created */
            created: number;
            /** Updated */
            updated: number;
            /** Unchanged */
            unchanged: number;
        };
        /**
         * Interval
         * @description A percentile interval: between `low` and `high` lie 95 % of the resampled figures.
         */
        Interval: {
            /** Low */
            low: number;
            /** High */
            high: number;
        };
        /**
         * IterationView
         * @description One round; 0 is the first answer. Null is what it has not come to. `heuristic`: the scores
         *     (0 to 1) were estimated without a model. needs_retrieval: whether the evaluation wants another
         *     search; searched: false where the answer was rewritten from the notes of the round before.
         *     judged_by (provider:model/version) to verdict_error: the verdict by the judge of the first
         *     answer, given to the first answer and to the best one. calls: those to models.
         */
        IterationView: {
            /** Position */
            position: number;
            /** Query */
            query: string;
            /** Rewritten By */
            rewritten_by: string | null;
            /** Searched */
            searched: boolean;
            /** Documents */
            documents: components["schemas"]["DocumentView"][] | null;
            /** Answer */
            answer: string | null;
            /** Grounding */
            grounding: number | null;
            /** Completeness */
            completeness: number | null;
            /** Accuracy */
            accuracy: number | null;
            /** Overall Score */
            overall_score: number | null;
            /** Missing Info */
            missing_info: string[] | null;
            /** Improvement Suggestions */
            improvement_suggestions: string[] | null;
            /** Needs Retrieval */
            needs_retrieval: boolean | null;
            /** Reason */
            reason: string | null;
            /** Heuristic */
            heuristic: boolean | null;
            /** Judged By */
            judged_by: string | null;
            /** Correctness */
            correctness: number | null;
            /** Utility */
            utility: number | null;
            /** Confidence */
            confidence: string | null;
            /** Verdict Overall */
            verdict_overall: number | null;
            /** Verdict Error */
            verdict_error: string | null;
            /** Calls */
            calls: number;
        };
        /**
         * JobPage
         * @description `next` continues the list; it is null on the last page.
         */
        JobPage: {
            /** Items */
            items: components["schemas"]["JobView"][];
            /** Next */
            next: string | null;
        };
        /**
         * JobStatus
         * @description queued ──▶ running ──▶ succeeded
         *       ▲          │ ├─────▶ failed(error)
         *       │          │ └─────▶ retrying ──▶ running
         *       └──────────┘    transient failure, lease expired
         *     worker stopped
         *
         *     Whatever is unfinished may become cancelled.
         * @enum {string}
         */
        JobStatus: "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
        /**
         * JobView
         * @description A job as readers get it. `done` of `total` units of its kind; `total` is null while it is
         *     not known. `error` is that of the last attempt.
         */
        JobView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Kind */
            kind: string;
            /** Payload */
            payload: {
                [key: string]: unknown;
            };
            status: components["schemas"]["JobStatus"];
            /** Attempt */
            attempt: number;
            /** Done */
            done: number;
            /** Total */
            total: number | null;
            /** Error */
            error: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Started At */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /** Next Attempt At */
            next_attempt_at: string | null;
        };
        /**
         * JudgeAgreement
         * @description Of whole answers (correctness from .8 is right, from .5 partly) and of single claims
         *     (supported is right). judge_model is null where it is about the verdicts that count, whichever
         *     judge gave them.
         */
        JudgeAgreement: {
            /** Judge Model */
            judge_model: string | null;
            of_answers: components["schemas"]["Agreement"];
            of_claims: components["schemas"]["Agreement"];
        };
        /**
         * JudgeBatchPage
         * @description Newest first. `next` continues the list; it is null on the last page.
         */
        JudgeBatchPage: {
            /** Items */
            items: components["schemas"]["JudgeBatchView"][];
            /** Next */
            next: string | null;
        };
        /**
         * JudgeBatchView
         * @description Answers of which a provider judges all requests together, at a lower price.
         *
         *     answers, requests: how many are in it; requests is 0 until they are rendered. done, failed: of
         *     the requests, by the provider's last word. stored, errors, dropped: of those that were read,
         *     with a reply, with an error, and of answers that were deleted or judged otherwise meanwhile.
         *     waiting: answers that wait for replies of it. deadline_at: from then on they are judged by
         *     calls. cost_usd: of the replies, null where it is not known. error: why it failed, was not
         *     handed in, or left something to calls.
         */
        JudgeBatchView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Judge Model */
            judge_model: string;
            state: components["schemas"]["BatchState"];
            /** Answers */
            answers: number;
            /** Requests */
            requests: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Stored */
            stored: number;
            /** Errors */
            errors: number;
            /** Dropped */
            dropped: number;
            /** Waiting */
            waiting: number;
            /** Cost Usd */
            cost_usd: number | null;
            /** Error */
            error: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Submitted At */
            submitted_at: string | null;
            /**
             * Deadline At
             * Format: date-time
             */
            deadline_at: string;
            /** Cancel Requested At */
            cancel_requested_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /** Provider Batch */
            provider_batch: string | null;
        };
        /** JudgeBrief */
        JudgeBrief: {
            /** Judge */
            judge: string;
            f1: components["schemas"]["Estimate"];
            auroc: components["schemas"]["Estimate"];
        };
        /**
         * JudgeCallView
         * @description One call to a judge. `purpose`: the name of the schema that its reply was to have, null for
         *     calls from before it was stored; `re_ask`: the reply before could not be used; `batched`: it
         *     was a line of a batch; `cascade_step`: of the judge's in its cascade, from 1; `retry_after`: the
         *     kind of error with which an earlier attempt asked the same. `latency_ms` is that of a reply,
         *     `elapsed_ms` also that of a call that failed. `cached_tokens`: of the prompt's,
         *     those that the vendor had in its cache. `discarded`: an attempt could not use the reply; `kept`:
         *     it is still there. `content` (what the model said) and `body` (the whole reply) are null unless
         *     asked for.
         */
        JudgeCallView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Attempt */
            attempt: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Request Hash */
            request_hash: string;
            /** Provider */
            provider: string;
            /** Model */
            model: string;
            /** Prompt Tokens */
            prompt_tokens: number | null;
            /** Cached Tokens */
            cached_tokens: number | null;
            /** Completion Tokens */
            completion_tokens: number | null;
            /** Cost Usd */
            cost_usd: number | null;
            /** Purpose */
            purpose: string | null;
            /** Re Ask */
            re_ask: boolean;
            /** Batched */
            batched: boolean;
            /** Cascade Step */
            cascade_step: number | null;
            /** Retry After */
            retry_after: string | null;
            /** Latency Ms */
            latency_ms: number | null;
            /** Elapsed Ms */
            elapsed_ms: number | null;
            /** Error */
            error: string | null;
            /** Discarded */
            discarded: boolean;
            /** Kept */
            kept: boolean;
            /** Content */
            content: string | null;
            /** Body */
            body: string | null;
        };
        /**
         * JudgeChoice
         * @description judge_model: `provider:model`, the one of the workspace's policy if left out; another than
         *     the policy names takes the scope `admin`. prompt: a version of the judge's prompt, the usual one
         *     if left out.
         */
        JudgeChoice: {
            /** Judge Model */
            judge_model?: string | null;
            /** Prompt */
            prompt?: string | null;
        };
        /**
         * JudgeComparison
         * @description The same, and in words.
         */
        JudgeComparison: {
            /** First */
            first: string;
            /** Second */
            second: string;
            /** Labels */
            labels: number;
            agreement: components["schemas"]["BothMeans"];
            error: components["schemas"]["BothMeans"];
            /** Costs Per 1000 Usd */
            costs_per_1000_usd: (number | null)[];
            /** Winner */
            winner: string | null;
            /** More Labels */
            more_labels: number | null;
            /** Note */
            note: ("too_few_labels" | "labels_alike") | null;
            sentence: components["schemas"]["Told"];
        };
        /**
         * JudgeDifference
         * @description The second judge less the first, on the `answers` that both have judged. The interval is
         *     that of a paired bootstrap; `significant` when it does not hold 0.
         */
        JudgeDifference: {
            /** First */
            first: string;
            /** Second */
            second: string;
            /** Name */
            name: string;
            /** Answers */
            answers: number;
            /** Difference */
            difference: number | null;
            interval: components["schemas"]["Interval"] | null;
            /** Significant */
            significant: boolean;
        };
        /**
         * JudgeFigures
         * @description One judge. Positive is "hallucinated", said of an answer whose correctness lies below
         *     `threshold`. All figures are over the `answers` that have a usable verdict; `failed` are the
         *     others, and `coverage` is the share of the first. `notes` say what a figure is missing for.
         *
         *     kappa: quadratic, over wrong, doubtful and right; best_f1: at best_threshold, chosen on these
         *     very answers; latencies in ms. steadiness: where each answer was judged more than once.
         *     criteria: the workspace's own that were in force when the bench began.
         */
        JudgeFigures: {
            /** Answers */
            answers: number;
            /** Failed */
            failed: number;
            /**
             * Undecided
             * @default 0
             */
            undecided?: number;
            /** Hallucinated */
            hallucinated: number;
            /** Threshold */
            threshold: number;
            confusion: components["schemas"]["Confusion"];
            precision: components["schemas"]["Estimate"];
            recall: components["schemas"]["Estimate"];
            f1: components["schemas"]["Estimate"];
            balanced_accuracy: components["schemas"]["Estimate"];
            auroc: components["schemas"]["Estimate"];
            kappa: components["schemas"]["Estimate"];
            /** Best F1 */
            best_f1: number;
            /** Best Threshold */
            best_threshold: number;
            spans: components["schemas"]["SpanOverlap"] | null;
            /** Calibration */
            calibration: components["schemas"]["CalibrationBin"][];
            /** Calibration Error */
            calibration_error: number | null;
            /** Brier */
            brier: number | null;
            /** Judge */
            judge: string;
            /** Coverage */
            coverage: number;
            steadiness?: components["schemas"]["Steadiness"] | null;
            /** Criteria */
            criteria?: components["schemas"]["CriterionMean"][];
            /** Cost Usd */
            cost_usd: number | null;
            /** Cost Per Answer Usd */
            cost_per_answer_usd: number | null;
            /** Prompt Tokens */
            prompt_tokens: number | null;
            /** Completion Tokens */
            completion_tokens: number | null;
            /** Latency Median Ms */
            latency_median_ms: number | null;
            /** Latency P95 Ms */
            latency_p95_ms: number | null;
            /** First Error */
            first_error: string | null;
            /** Notes */
            notes: string[];
        };
        /**
         * JudgeLimitRead
         * @description What a judge's server allows all workers together: the lower of what is set and what its
         *     replies state, None where it allows any number. allowance: the share of it that is used at
         *     present, 0.05 to 1, less after refusals; None while Redis is away. held_until: until then
         *     nothing is asked. in_flight: calls, where they are limited. workers: that have asked in the
         *     last minute. waiting: verdicts and calls of jobs that wait in them until the limits allow
         *     them.
         */
        JudgeLimitRead: {
            /** Judge Model */
            judge_model: string;
            /** Requests Per Minute */
            requests_per_minute: number | null;
            /** Tokens Per Minute */
            tokens_per_minute: number | null;
            /** Max In Flight */
            max_in_flight: number | null;
            /** Configured */
            configured: boolean;
            /** Allowance */
            allowance: number | null;
            /** Held Until */
            held_until: string | null;
            /** In Flight */
            in_flight: number | null;
            /** Workers */
            workers: number | null;
            /** Waiting */
            waiting: number | null;
        };
        /**
         * JudgePauseRead
         * @description `code` names the cause for programs, `reason` says it to people, in their language.
         */
        JudgePauseRead: {
            /** Judge Model */
            judge_model: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "configuration" | "failing";
            /** Code */
            code: string;
            /** Reason */
            reason: string;
            /**
             * Paused At
             * Format: date-time
             */
            paused_at: string;
            /**
             * Probe At
             * Format: date-time
             */
            probe_at: string;
        };
        /**
         * JudgedMean
         * @description A mean of judged scores with what it rests on.
         *
         *     mean: over all scored cases, failures as 0.0; mean_of_parsed: without failures, None when there
         *     are only failures; the intervals are 95 % bootstrap intervals, None with fewer than two cases.
         *     scored: cases that a judge was asked about; parsed: those with a usable reply; undecided: cases
         *     that rules could not tell, rightly_refused: right refusals, which count in none of these; total:
         *     cases of the run; coverage: parsed / total.
         */
        JudgedMean: {
            /** Mean */
            mean: number;
            interval: components["schemas"]["Interval"] | null;
            /** Mean Of Parsed */
            mean_of_parsed: number | null;
            interval_of_parsed: components["schemas"]["Interval"] | null;
            /** Scored */
            scored: number;
            /** Parsed */
            parsed: number;
            /**
             * Undecided
             * @default 0
             */
            undecided?: number;
            /**
             * Rightly Refused
             * @default 0
             */
            rightly_refused?: number;
            /** Total */
            total: number;
            /** Coverage */
            coverage: number;
        };
        /**
         * LabelItem
         * @description An answer with all that labelling it needs. `evaluation_id` is what POST
         *     /qa-evaluations/{id}/feedback takes. number: of a drawn answer its place through all draws, from
         *     1; null for a doubtful one. reasons: why it is doubtful, null unless asked for.
         */
        LabelItem: {
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            /** Number */
            number: number | null;
            /** Question */
            question: string;
            /** Answer */
            answer: string;
            /** Lang */
            lang: string;
            /** Sentences */
            sentences: components["schemas"]["Sentence"][];
            /** Notes */
            notes: components["schemas"]["GivenNote"][];
            /** Reasons */
            reasons: components["schemas"]["ReasonView"][] | null;
        };
        /**
         * LabelQueue
         * @description items: given now, in order, beside those already held. remaining: what `author` may still
         *     label, the held and what others have open included. drawn: how many answers are drawn, labelled
         *     ones included; null for others.
         */
        LabelQueue: {
            /** Author */
            author: string;
            /** Items */
            items: components["schemas"]["LabelItem"][];
            /** Remaining */
            remaining: number;
            /** Drawn */
            drawn: number | null;
        };
        /**
         * LearningCreate
         * @description max_cost_usd: nothing is asked where more is expected. limit: of the labels, drawn by chance.
         *     dry_run: proves, and leaves the policy as it is.
         */
        LearningCreate: {
            /** Max Cost Usd */
            max_cost_usd?: number | null;
            /** Limit */
            limit?: number | null;
            /**
             * Dry Run
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * LearningDetail
         * @description A bench of `total` verdicts, of which `done` are there, `failed` without a score.
         */
        LearningDetail: {
            /** Judge Model */
            judge_model: string;
            /** Prompt */
            prompt: string | null;
            /** Candidate */
            candidate: string | null;
            /** Examples */
            examples: number;
            /** Threshold */
            threshold: number | null;
            /** Learned On */
            learned_on: number;
            /** Proven On */
            proven_on: number;
            /** Dry Run */
            dry_run: boolean;
            /** Estimated Usd */
            estimated_usd: number | null;
            /** Made By */
            made_by: string;
            result?: components["schemas"]["LearningResult"] | null;
            /** Applied At */
            applied_at?: string | null;
            /** Undone At */
            undone_at?: string | null;
            /**
             * Id
             * Format: uuid
             */
            id: string;
            status: components["schemas"]["RunStatus"];
            /** Total */
            total: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Error Message */
            error_message: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
        };
        /**
         * LearningEstimate
         * @description What learning would take: answers whose labels teach and prove, examples for the prompt, and
         *     calls of models, tokens and US dollars, null where nobody knows a price.
         */
        LearningEstimate: {
            /** Learned On */
            learned_on: number;
            /** Proven On */
            proven_on: number;
            /** Examples */
            examples: number;
            /** Calls */
            calls: number;
            /** Prompt Tokens */
            prompt_tokens: number;
            /** Completion Tokens */
            completion_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
        };
        /**
         * LearningPage
         * @description `next` continues the list; it is null on the last page.
         */
        LearningPage: {
            /** Items */
            items: components["schemas"]["LearningDetail"][];
            /** Next */
            next: string | null;
        };
        /**
         * LearningResult
         * @description What the proving half has shown.
         *
         *     change: what was tested, null where there was nothing to test. threshold: the correctness from
         *     which "high" stays. agreement: share of answers that the judge calls high where people call them
         *     right, and not high where they do not: of the present judge, of the changed one, and the
         *     difference with its 95 % interval. outcome: better where that lies above 0. highs, highs_right:
         *     labelled answers that the changed judge calls high, and how many of them are right: more than a
         *     share `precision`, with 90 % confidence. spent_usd: null where nobody knows.
         */
        LearningResult: {
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "better" | "not_better" | "policy_changed";
            /** Change */
            change: ("examples" | "threshold") | null;
            /** Threshold */
            threshold: number;
            agreement: components["schemas"]["BothMeans"] | null;
            /** Labels */
            labels: number;
            /** Highs */
            highs: number;
            /** Highs Right */
            highs_right: number;
            /** Precision */
            precision: number;
            /** Spent Usd */
            spent_usd: number | null;
        };
        /**
         * LoggedOut
         * @description `next`: where the browser ends its session at the login provider.
         */
        LoggedOut: {
            /** Next */
            next: string;
        };
        /**
         * MatchedNote
         * @description `note_index` 1 is `[노트 1]` in the answer.
         */
        MatchedNote: {
            /** Note Index */
            note_index: number;
            /** Note Id */
            note_id: string | null;
            /** Title */
            title: string;
            /** Score */
            score: number | null;
        };
        /**
         * MeanDifference
         * @description The second mean minus the first over the cases that both runs measured, with its 95 %
         *     interval and the p value of a paired permutation test; both null with too few cases. `unread`
         *     cases are left out, because a reply of the judge could not be read in one of the runs.
         */
        MeanDifference: {
            /** Name */
            name: string;
            /** Cases */
            cases: number;
            /** Unread */
            unread: number;
            /** First */
            first: number;
            /** Second */
            second: number;
            /** Difference */
            difference: number;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** P Value */
            p_value: number | null;
            /** Significant */
            significant: boolean;
        };
        /**
         * MeasuredRun
         * @description `cost_usd` of all its cases, null where no price is known; `latency_ms` of a case.
         */
        MeasuredRun: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Dataset Id */
            dataset_id: string | null;
            /** Dataset Name */
            dataset_name: string;
            /** Dataset Version */
            dataset_version: number;
            /** K */
            k: number;
            evaluation_type: components["schemas"]["EvaluationType"];
            retrieval: components["schemas"]["Retrieval"];
            /** Embedding Model */
            embedding_model: string | null;
            /** Answer Model */
            answer_model: string;
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Cost Usd */
            cost_usd: number | null;
            /** Latency Ms */
            latency_ms: number | null;
        };
        /**
         * MetricRow
         * @description One mean of the baseline and of the runs that it can be compared with, over the same `cases`
         *     in all of them. `unread` cases are left out, because a reply of the judge could not be read in
         *     one of the runs.
         */
        MetricRow: {
            /** Name */
            name: string;
            /** Cases */
            cases: number;
            /** Unread */
            unread: number;
            /** Baseline */
            baseline: number;
            /** Baseline Mark */
            baseline_mark: ("highest" | "lowest") | null;
            /** Runs */
            runs: components["schemas"]["RunDifference"][];
        };
        /**
         * Misquote
         * @description A quotation that a verdict ascribed to the note and that does not stand in it.
         */
        Misquote: {
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /**
             * Answered At
             * Format: date-time
             */
            answered_at: string;
            /** Question */
            question: string;
            /** Quote */
            quote: string;
        };
        /**
         * ModelUse
         * @description What names a model: a `server` setting, a setting of the `policy`, a `cascade`, the prompt of
         *     a `guarantee`, or a `dataset` with runs of the last 90 days.
         */
        ModelUse: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "server" | "policy" | "cascade" | "guarantee" | "dataset";
            /** Name */
            name: string;
        };
        /**
         * NewJudgement
         * @description The second evaluation of an answer.
         */
        NewJudgement: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Answer Id
             * Format: uuid
             */
            answer_id: string;
            status: components["schemas"]["Status"];
            /** Reason */
            reason: string | null;
        };
        /** NextStepsPhaseView */
        NextStepsPhaseView: {
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
            /** Fallback */
            fallback: string | null;
            /**
             * Urgency
             * @enum {string}
             */
            urgency: "high" | "medium" | "low";
            /** Suggested Queries */
            suggested_queries: string[];
            /** Action Items */
            action_items: string[];
        };
        /**
         * NotCompared
         * @description Means that cannot be compared, and what the runs differ in that they depend on.
         */
        NotCompared: {
            /**
             * Because
             * @enum {string}
             */
            because: "dataset" | "k" | "answers" | "judge" | "prompt";
            /** Names */
            names: string[];
        };
        /**
         * NoteConflict
         * @description Two sentences that may contradict each other: they differ in a value, or one denies what the
         *     other says. ours: that of the note; differs: what stands in whose place, "" where nothing
         *     does.
         */
        NoteConflict: {
            note: components["schemas"]["OtherNote"];
            /**
             * Kind
             * @enum {string}
             */
            kind: "value" | "negation";
            /** Ours */
            ours: string;
            /** Theirs */
            theirs: string;
            /** Differs */
            differs: string;
        };
        /**
         * NoteConflicts
         * @description compared: how many of the notes that share most words with this one; null where comparing
         *     them took too long. copies: those with nearly the same text.
         */
        NoteConflicts: {
            /** Compared */
            compared: number | null;
            /** Conflicts */
            conflicts: components["schemas"]["NoteConflict"][];
            /** Copies */
            copies: components["schemas"]["OtherNote"][];
        };
        /**
         * NoteCreate
         * @description `source_key` is the note's name where it comes from: sending it again updates the note.
         */
        NoteCreate: {
            /** Title */
            title: string;
            /** Content */
            content: string;
            /** Source Key */
            source_key?: string | null;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /** Category */
            category?: string | null;
            /** Subcategory */
            subcategory?: string | null;
        };
        /**
         * NotePage
         * @description `next` continues the list; it is null on the last page.
         */
        NotePage: {
            /** Items */
            items: components["schemas"]["NoteSummary"][];
            /** Next */
            next: string | null;
        };
        /**
         * NoteQuality
         * @description Of current verdicts of the last `days` days. given: answers that were given the note; cited:
         *     those that cite it; scored: of these, the verdicts that the mean `correctness` is of, none
         *     degraded or a right refusal; ungrounded: of the scored with a correctness below .5.
         *     last_given_at: null where nobody asked for it. misquotes: the newest five of `misquoted`.
         */
        NoteQuality: {
            /** Days */
            days: number;
            /** Given */
            given: number;
            /** Cited */
            cited: number;
            /** Scored */
            scored: number;
            /** Correctness */
            correctness: number | null;
            /** Ungrounded */
            ungrounded: number;
            /** Misquoted */
            misquoted: number;
            /** Last Given At */
            last_given_at: string | null;
            /** Weeks */
            weeks: components["schemas"]["NoteWeek"][];
            /** Misquotes */
            misquotes: components["schemas"]["Misquote"][];
        };
        /** NoteRead */
        NoteRead: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Notebook Id
             * Format: uuid
             */
            notebook_id: string;
            /** Title */
            title: string;
            /** Lang */
            lang: string;
            /** Tags */
            tags: string[];
            /** Category */
            category: string | null;
            /** Subcategory */
            subcategory: string | null;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Content */
            content: string;
        };
        /** NoteSummary */
        NoteSummary: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Notebook Id
             * Format: uuid
             */
            notebook_id: string;
            /** Title */
            title: string;
            /** Lang */
            lang: string;
            /** Tags */
            tags: string[];
            /** Category */
            category: string | null;
            /** Subcategory */
            subcategory: string | null;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * NoteWeek
         * @description week: its Monday. cited: answers that cite the note; correctness: their mean, null without a
         *     score.
         */
        NoteWeek: {
            /**
             * Week
             * Format: date
             */
            week: string;
            /** Cited */
            cited: number;
            /** Correctness */
            correctness: number | null;
        };
        /** NotebookCreate */
        NotebookCreate: {
            /** Name */
            name: string;
        };
        /** NotebookRead */
        NotebookRead: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Notes */
            notes: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
        };
        /** NotesImport */
        NotesImport: {
            /** Notebook */
            notebook: string;
            /** Notes */
            notes: components["schemas"]["NoteCreate"][];
        };
        /**
         * NuggetView
         * @description A piece of information that a good answer has.
         */
        NuggetView: {
            /** Text */
            text: string;
            /**
             * Importance
             * @enum {string}
             */
            importance: "vital" | "okay";
            /**
             * Support
             * @enum {string}
             */
            support: "supported" | "partly" | "not";
        };
        /**
         * Obstacle
         * @description What keeps a user or server from making indexes. `not_owner`: the user does not own the
         *     tables. `old_pgvector`: the server's is older than 0.8.
         * @enum {string}
         */
        Obstacle: "not_owner" | "old_pgvector";
        /**
         * OfferedModel
         * @description A `provider:model` that can judge. Prices: US dollars for a million tokens that are read and
         *     that are written, null where nobody knows. paused: no answer is judged by it now. ends_on: its
         *     last day.
         */
        OfferedModel: {
            /** Model */
            model: string;
            /** Prompt Usd */
            prompt_usd: number | null;
            /** Completion Usd */
            completion_usd: number | null;
            /** Paused */
            paused: boolean;
            /** Ends On */
            ends_on: string | null;
        };
        /**
         * OfferedModels
         * @description unreachable: names of servers in use that do not list their models.
         */
        OfferedModels: {
            /** Models */
            models: components["schemas"]["OfferedModel"][];
            /** Unreachable */
            unreachable: string[];
        };
        /** OtherNote */
        OtherNote: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Title */
            title: string;
        };
        /**
         * OtherRun
         * @description A run beside the baseline. `notes_changed`: questions of which a passage of the ground truth
         *     still existed in one of the two only.
         */
        OtherRun: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Dataset Id */
            dataset_id: string | null;
            /** Dataset Name */
            dataset_name: string;
            /** Dataset Version */
            dataset_version: number;
            /** K */
            k: number;
            evaluation_type: components["schemas"]["EvaluationType"];
            retrieval: components["schemas"]["Retrieval"];
            /** Embedding Model */
            embedding_model: string | null;
            /** Answer Model */
            answer_model: string;
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Cost Usd */
            cost_usd: number | null;
            /** Latency Ms */
            latency_ms: number | null;
            /** Not Compared */
            not_compared: components["schemas"]["NotCompared"][];
            /** Notes Changed */
            notes_changed: number;
        };
        /**
         * Outcome
         * @description How a trace ended. The first that fits one of its would-be answers is the trace's.
         * @enum {string}
         */
        Outcome: "answered" | "without_document_text" | "without_documents" | "without_question" | "without_answer" | "not_genai" | "failed";
        /**
         * PassageView
         * @description A chunk that answers a question of a dataset.
         */
        PassageView: {
            /** Id */
            id: string;
            /**
             * Note Id
             * Format: uuid
             */
            note_id: string;
            /** Title */
            title: string;
            /** Content */
            content: string;
        };
        /**
         * Pattern
         * @description Faithfulness and relevancy together; each is high from HIGH_FROM on.
         * @enum {string}
         */
        Pattern: "hallucination_risk" | "unsuitable_context" | "ideal" | "overall_problem";
        /**
         * PatternRead
         * @description `cases`: answers of this pattern; `of_means`: whether the means of the run make it.
         */
        PatternRead: {
            /** Title */
            title: string;
            /** Symptom */
            symptom: string;
            /** Cause */
            cause: string;
            /** Actions */
            actions: string[];
            pattern: components["schemas"]["Pattern"];
            /** Cases */
            cases: number;
            /** Of Means */
            of_means: boolean;
        };
        /**
         * PeopleAgreement
         * @description How far people agree with each other on whole answers. twice: how many answers have labels by
         *     two people or more. pairs: who with whom, most answers in common first.
         */
        PeopleAgreement: {
            /** Twice */
            twice: number;
            /** Pairs */
            pairs: components["schemas"]["AuthorPair"][];
        };
        /**
         * PolicyForecast
         * @description A day of this policy: answers, those that are judged, and US dollars without a budget, null
         *     where nobody knows a price. at_most: several judges may be asked, and all of them are counted.
         *     All are 0 where there were no answers.
         */
        PolicyForecast: {
            /** Answers */
            answers: number;
            /** Judged */
            judged: number;
            /** Cost Usd */
            cost_usd: number | null;
            /** At Most */
            at_most: boolean;
        };
        /**
         * ProcessKind
         * @description What a process does.
         * @enum {string}
         */
        ProcessKind: "api" | "worker" | "dispatcher";
        /**
         * ProcessRead
         * @description seen_seconds: since its last report. lives: whether that was lately. in_flight: verdicts
         *     that a worker is judging. claim_seconds: since a worker's last claim; tick_seconds: since a
         *     dispatcher's last complete sweep.
         */
        ProcessRead: {
            kind: components["schemas"]["ProcessKind"];
            /** Hostname */
            hostname: string;
            /** Pid */
            pid: number;
            /** Release */
            release: string;
            /** Queues */
            queues: string[];
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Seen Seconds */
            seen_seconds: number;
            /** Lives */
            lives: boolean;
            /** In Flight */
            in_flight: number;
            /** Claim Seconds */
            claim_seconds: number | null;
            /** Tick Seconds */
            tick_seconds: number | null;
        };
        /**
         * PromptCreate
         * @description parent: the version that it was written from, shipped or of the workspace. texts: the
         *     instructions by language; a language that is left out has those of the parent. note: what
         *     changed, and why.
         */
        PromptCreate: {
            /** Name */
            name: string;
            /** Parent */
            parent: string;
            /** Texts */
            texts: {
                [key: string]: string;
            };
            /**
             * Note
             * @default
             */
            note?: string;
        };
        /**
         * PromptVersion
         * @description A version of a prompt of the workspace. reference: how policies, benches and verdicts name
         *     it. base: the shipped prompt of which sections and form are; parent: what it was written from.
         *     texts: its instructions by language. examples: labelled answers behind them, by `searchqa policy
         *     learn`. in_policy: whether the workspace is judged by it now.
         *     retired_at: since when it cannot be chosen any more; null while it can.
         */
        PromptVersion: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Version */
            version: number;
            /** Reference */
            reference: string;
            /** Base */
            base: string;
            /** Parent */
            parent: string;
            /** Texts */
            texts: {
                [key: string]: string;
            };
            /** Examples */
            examples: components["schemas"]["Example"][];
            /** Note */
            note: string;
            /** Made By */
            made_by: string;
            /** In Policy */
            in_policy: boolean;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Retired At */
            retired_at: string | null;
        };
        /**
         * PromptVersionPage
         * @description `next` continues the list; it is null on the last page.
         */
        PromptVersionPage: {
            /** Items */
            items: components["schemas"]["PromptVersion"][];
            /** Next */
            next: string | null;
        };
        /**
         * QualityAlarm
         * @description A series of a judge has changed: score (mean correctness), corrected (the same by people's
         *     labels and the judge), coverage (the share of answers given to the judge that it scored itself)
         *     or unjudged (the share that was skipped or failed), each 0 to 1.
         *
         *     began_on: estimated first day after the change; noticed_on: the day that gave the alarm.
         *     before: the mean from compared_from until the day before; after: the mean from then on, of so
         *     many answers, or of labels for `corrected`. causes: what differs most, the largest part first;
         *     empty where nothing in particular does.
         */
        QualityAlarm: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Judge Model */
            judge_model: string;
            series: components["schemas"]["Series"];
            /**
             * Compared From
             * Format: date
             */
            compared_from: string;
            /**
             * Began On
             * Format: date
             */
            began_on: string;
            /**
             * Noticed On
             * Format: date
             */
            noticed_on: string;
            /** Before */
            before: number;
            /** After */
            after: number;
            /** Answers Before */
            answers_before: number;
            /** Answers After */
            answers_after: number;
            /** Causes */
            causes: components["schemas"]["Cause"][];
            /** Acknowledged At */
            acknowledged_at: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
        };
        /**
         * QualityAlarms
         * @description rows: newest first. watched: series of judges that were asked in the last 28 days looked
         *     at. tz: the time zone of all days.
         */
        QualityAlarms: {
            /** Rows */
            rows: components["schemas"]["QualityAlarm"][];
            /** Watched */
            watched: components["schemas"]["WatchedSeries"][];
            /** Tz */
            tz: string;
        };
        /**
         * QualityChange
         * @description By how much the mean is above that of the period before, -1 to 1, with its 95 % interval.
         *     p_value: chance of a change at least as large if nothing had changed.
         */
        QualityChange: {
            /** Since */
            since: string;
            /** Change */
            change: number;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** P Value */
            p_value: number;
        };
        /**
         * QualityItem
         * @description One item of a checklist, whether the reply meets it, and why.
         */
        QualityItem: {
            /** Item */
            item: string;
            /** Passed */
            passed: boolean;
            /** Reason */
            reason: string;
        };
        /**
         * QualityRead
         * @description Where the verdict of an answer stands. evaluation_id is null and status is `not_stored`
         *     when the database did not take the answer: then there will be no verdict.
         */
        QualityRead: {
            /** Answer Id */
            answer_id: string | null;
            /** Evaluation Id */
            evaluation_id: string | null;
            /** Status */
            status: components["schemas"]["Status"] | "not_stored";
            /** Reason */
            reason: string | null;
        };
        /**
         * QualityResult
         * @description `pass_ratio` is the share of items that passed, 0 to 1.
         */
        QualityResult: {
            /** Passed */
            passed: boolean;
            /** Pass Ratio */
            pass_ratio: number;
            /** Items */
            items: components["schemas"]["QualityItem"][];
        };
        /**
         * QualityResultView
         * @description `source`: who ticked the checklist, the verdict's judge or rules.
         */
        QualityResultView: {
            /** Passed */
            passed: boolean;
            /** Pass Ratio */
            pass_ratio: number;
            /** Items */
            items: components["schemas"]["QualityItem"][];
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
        };
        /**
         * QualitySummary
         * @description The checklist in short: `met` of `items`, and whether that is enough. `source` ticked it.
         */
        QualitySummary: {
            /** Passed */
            passed: boolean;
            /** Met */
            met: number;
            /** Items */
            items: number;
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
        };
        /**
         * Queue
         * @description `live`: fresh answers. `bulk`: jobs, and background evaluations. `isolated`: what
         *     killed a worker.
         * @enum {string}
         */
        Queue: "live" | "bulk" | "isolated";
        /** ReaderClaim */
        ReaderClaim: {
            /** Claim */
            claim: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "supported" | "partly" | "unsupported";
            /** Fault */
            fault: ("contradicted" | "not_in_notes" | "misattributed" | "stitched") | null;
        };
        /** ReaderEvaluation */
        ReaderEvaluation: {
            /** Correctness */
            correctness: number;
            /** Utility */
            utility: number;
            /**
             * Confidence
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** Outcome */
            outcome: ("matches" | "mismatch" | "undecided" | "rightly_refused" | "falsely_refused") | null;
            /** Decided */
            decided: boolean;
            /**
             * State
             * @enum {string}
             */
            state: "confirmed" | "incomplete" | "off_topic" | "partly" | "contradicted" | "not_in_notes" | "rightly_refused" | "falsely_refused" | "not_judged";
            /** Summary */
            summary: string;
            /** Grounding Issues */
            grounding_issues: string[];
            /** Flags */
            flags: string[];
            extent: components["schemas"]["Extent"] | null;
            guarantee: components["schemas"]["GuaranteeView"] | null;
        };
        /** ReaderFeedback */
        ReaderFeedback: {
            groundedness: components["schemas"]["ReaderGroundedness"] | null;
        };
        /** ReaderGroundedness */
        ReaderGroundedness: {
            /**
             * Source
             * @enum {string}
             */
            source: "judge" | "rules";
            /** Claims */
            claims: components["schemas"]["ReaderClaim"][];
        };
        /** ReaderTokenCreate */
        ReaderTokenCreate: {
            /**
             * Expires In Minutes
             * @default 15
             * @enum {integer}
             */
            expires_in_minutes?: 5 | 15 | 30 | 60;
        };
        /**
         * ReaderTokenCreated
         * @description `token` is told this one time. `verdict` is what it shows now.
         */
        ReaderTokenCreated: {
            /** Token */
            token: string;
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            verdict: components["schemas"]["ReaderVerdict"];
        };
        /**
         * ReaderVerdict
         * @description The part of an EvaluationView that a reader token shows. Its fields mean the same.
         */
        ReaderVerdict: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            status: components["schemas"]["Status"];
            /** Reason */
            reason: string | null;
            /** Degraded */
            degraded: boolean;
            /** Judged By */
            judged_by: ("model" | "local" | "rules") | null;
            /** Lang */
            lang: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Finished At */
            finished_at: string | null;
            /** Next Attempt At */
            next_attempt_at: string | null;
            qa_evaluation: components["schemas"]["ReaderEvaluation"] | null;
            feedback: components["schemas"]["ReaderFeedback"] | null;
        };
        /**
         * Reason
         * @description What makes a verdict doubtful; sql/queue.sql weighs them, reasons.json words them.
         * @enum {string}
         */
        Reason: "people_disagree" | "judges_disagree" | "contradicts_issues" | "phases_disagree" | "near_threshold" | "degraded";
        /**
         * ReasonView
         * @description Why a verdict stands in the queue; `text` is in the caller's language.
         */
        ReasonView: {
            reason: components["schemas"]["Reason"];
            /** Weight */
            weight: number;
            /** Text */
            text: string;
        };
        /**
         * Reassigned
         * @description judge_model: the policy's, which judges `answers` now.
         */
        Reassigned: {
            /** Judge Model */
            judge_model: string;
            /** Answers */
            answers: number;
        };
        /**
         * RecordFormat
         * @enum {string}
         */
        RecordFormat: "csv" | "jsonl";
        /**
         * RecurringFailureDetail
         * @description answers, share: of the last 30 days. examples: the newest 20; seen_in: each release in which
         *     it was seen, the last one first; both of whatever age.
         */
        RecurringFailureDetail: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Fault */
            fault: string;
            /** Note Id */
            note_id: string | null;
            /** Note Title */
            note_title: string | null;
            /** Note Deleted */
            note_deleted: boolean;
            state: components["schemas"]["FailureState"];
            /** Owner */
            owner: string | null;
            /** Mended In */
            mended_in: string | null;
            /** Mended At */
            mended_at: string | null;
            /** Reopened In */
            reopened_in: string | null;
            /** Reopened At */
            reopened_at: string | null;
            /** Answers */
            answers: number;
            /** Share */
            share: number | null;
            /** Releases */
            releases: string[];
            /** Example */
            example: string | null;
            /**
             * First Seen At
             * Format: date-time
             */
            first_seen_at: string;
            /**
             * Last Seen At
             * Format: date-time
             */
            last_seen_at: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Examples */
            examples: components["schemas"]["FailureExample"][];
            /** Seen In */
            seen_in: components["schemas"]["FailureRelease"][];
        };
        /**
         * RecurringFailureRead
         * @description Doubted answers with the same fault, about the same note, whose statements are nearly equal.
         *
         *     name: their commonest words. fault: contradicted, not_in_notes, misattributed or stitched; of
         *     older verdicts unsupported or partly; where no statement is doubted falsely_refused, or
         *     whole_answer of low confidence. note_title: null where no note is known. answers: of the period,
         *     none that a person found right; share: of all answers of the period; releases: in which they
         *     were given; example: the newest verdict of them, null without. first_seen_at: whatever the
         *     period. mended_in: the release that mends it. reopened_in: the one in which it came back after
         *     that.
         */
        RecurringFailureRead: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Fault */
            fault: string;
            /** Note Id */
            note_id: string | null;
            /** Note Title */
            note_title: string | null;
            /** Note Deleted */
            note_deleted: boolean;
            state: components["schemas"]["FailureState"];
            /** Owner */
            owner: string | null;
            /** Mended In */
            mended_in: string | null;
            /** Mended At */
            mended_at: string | null;
            /** Reopened In */
            reopened_in: string | null;
            /** Reopened At */
            reopened_at: string | null;
            /** Answers */
            answers: number;
            /** Share */
            share: number | null;
            /** Releases */
            releases: string[];
            /** Example */
            example: string | null;
            /**
             * First Seen At
             * Format: date-time
             */
            first_seen_at: string;
            /**
             * Last Seen At
             * Format: date-time
             */
            last_seen_at: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * RefinementCreate
         * @description threshold: the overall score (0 to 1) from which an answer is good enough;
         *     max_iterations: how often, at most, it is searched and answered again. What is left out is as
         *     the workspace's policy says.
         */
        RefinementCreate: {
            /** Threshold */
            threshold?: number | null;
            /** Max Iterations */
            max_iterations?: number | null;
        };
        /**
         * RefinementSummary
         * @description The newest attempt to improve the answer. `best_iteration` above 0: a better one is there,
         *     by `lift` (of 0 to 1). automatic: a poor verdict began it, else somebody asked.
         */
        RefinementSummary: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Automatic */
            automatic: boolean;
            status: components["schemas"]["JobStatus"];
            /** Stop Reason */
            stop_reason: string | null;
            /** Best Iteration */
            best_iteration: number | null;
            /** Lift */
            lift: number | null;
        };
        /**
         * RefinementView
         * @description The improvement of one answer. `best_iteration` is 0 when no later answer is better, and
         *     `lift` by how much the best is better than the first; both are null while nobody can say.
         *     correctness_lift, utility_lift (-1 to 1): the same by the verdicts of the judge of the first
         *     answer. targeted_retrieval: share of the missing information that the searches for it found;
         *     precision and recall of the first and of the last search by the notes that are relevant, as
         *     `relevance` says: `ground_truth` of a dataset with this question, or by shared `words`.
         */
        RefinementView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            status: components["schemas"]["JobStatus"];
            /** Error */
            error: string | null;
            /** Automatic */
            automatic: boolean;
            /** Threshold */
            threshold: number;
            /** Max Iterations */
            max_iterations: number;
            stop_reason: components["schemas"]["StopReason"] | null;
            /** Best Iteration */
            best_iteration: number | null;
            /** Lift */
            lift: number | null;
            /** Correctness Lift */
            correctness_lift: number | null;
            /** Utility Lift */
            utility_lift: number | null;
            /** Relevance */
            relevance: ("ground_truth" | "words") | null;
            /** Targeted Retrieval */
            targeted_retrieval: number | null;
            /** First Precision */
            first_precision: number | null;
            /** First Recall */
            first_recall: number | null;
            /** Last Precision */
            last_precision: number | null;
            /** Last Recall */
            last_recall: number | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Finished At */
            finished_at: string | null;
            /** Iterations */
            iterations: components["schemas"]["IterationView"][];
        };
        /**
         * RejudgeEstimate
         * @description Of `answers` with a verdict `matching` fit the filter: `to_judge` would be judged, `judged`
         *     were by this judge and prompt already, `not_judged` cannot be. cost_usd is null where nobody
         *     knows it, for the reason in `unpriced`. batch_cost_usd: the same in batches of the provider,
         *     null where it has none. bulk_by: which of the two the workspace's policy has.
         */
        RejudgeEstimate: {
            /** Judge Model */
            judge_model: string;
            /** Prompt */
            prompt: string | null;
            /** Answers */
            answers: number;
            /** Matching */
            matching: number;
            /** To Judge */
            to_judge: number;
            /** Judged */
            judged: number;
            /** Not Judged */
            not_judged: number;
            /** Calls */
            calls: number;
            /** Prompt Tokens */
            prompt_tokens: number;
            /** Completion Tokens */
            completion_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
            /** Unpriced */
            unpriced: string | null;
            /** Batch Cost Usd */
            batch_cost_usd: number | null;
            /**
             * Bulk By
             * @enum {string}
             */
            bulk_by: "calls" | "batch";
        };
        /**
         * RejudgeFilter
         * @description Conditions on an answer and its current verdict, all of which must hold; what is left out
         *     does not filter. `since` and `until` are of the answer, `until` excluded; the scores are upper
         *     bounds, excluded; judge_model and prompt_version are those of the current verdict.
         *     evaluation_ids: only the answers of these, whichever of an answer's evaluations is named.
         */
        RejudgeFilter: {
            /** Since */
            since?: string | null;
            /** Until */
            until?: string | null;
            /** Status */
            status?: ("succeeded" | "failed" | "skipped") | null;
            /** Confidence */
            confidence?: ("high" | "medium" | "low") | null;
            /** Degraded */
            degraded?: boolean | null;
            /** Needs Improvement */
            needs_improvement?: boolean | null;
            /** Feature */
            feature?: string | null;
            /** Lang */
            lang?: ("ko" | "en") | null;
            /** Notebook Id */
            notebook_id?: string | null;
            /** Judge Model */
            judge_model?: string | null;
            /** Prompt Version */
            prompt_version?: string | null;
            /** Correctness Below */
            correctness_below?: number | null;
            /** Utility Below */
            utility_below?: number | null;
            /** Overall Below */
            overall_below?: number | null;
            /** Evaluation Ids */
            evaluation_ids?: string[] | null;
        };
        /**
         * RejudgeProgress
         * @description How far a job is: of `total` answers put in so far. `paused` of the pending ones wait for a
         *     judge that cannot work, `batched` for a batch of its provider. cost_usd is null where nobody
         *     knows it.
         */
        RejudgeProgress: {
            /** Total */
            total: number;
            /** Succeeded */
            succeeded: number;
            /** Failed */
            failed: number;
            /** Cancelled */
            cancelled: number;
            /** Pending */
            pending: number;
            /** Paused */
            paused: number;
            /** Batched */
            batched: number;
            /** Prompt Tokens */
            prompt_tokens: number;
            /** Completion Tokens */
            completion_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
        };
        /**
         * RejudgeRead
         * @description A job that has answers judged again, and how far their verdicts are.
         */
        RejudgeRead: {
            job: components["schemas"]["JobView"];
            progress: components["schemas"]["RejudgeProgress"];
        };
        /**
         * RejudgeRequest
         * @description everything: the filter may match all answers of the workspace.
         */
        RejudgeRequest: {
            /** Judge Model */
            judge_model?: string | null;
            /** Prompt */
            prompt?: string | null;
            filter?: components["schemas"]["RejudgeFilter"];
            /**
             * Everything
             * @default false
             */
            everything?: boolean;
        };
        /**
         * Release
         * @description first_seen_at: of its first answer, whatever the filters. scored: verdicts that the means are
         *     of, none degraded. corrected: mean correctness by people's labels and the judge, null with too
         *     few of them; corrected_change: since the last release that has one.
         *
         *     outcome: of the corrected change where it is since the release before, else of the judge's mean
         *     correctness: better or worse where the interval leaves 0 out; too_few below 10 scored answers of
         *     either; null for the first release. worse_for: null where no group stands out.
         */
        Release: {
            /** App Version */
            app_version: string;
            /** Previous Version */
            previous_version: string | null;
            /**
             * First Seen At
             * Format: date-time
             */
            first_seen_at: string;
            /**
             * Last Seen At
             * Format: date-time
             */
            last_seen_at: string;
            /** Answers */
            answers: number;
            /** Scored */
            scored: number;
            /** Share High */
            share_high: number | null;
            /** Correctness */
            correctness: number | null;
            /** Utility */
            utility: number | null;
            share_high_change: components["schemas"]["Change"] | null;
            correctness_change: components["schemas"]["Change"] | null;
            utility_change: components["schemas"]["Change"] | null;
            corrected: components["schemas"]["Bounds"] | null;
            corrected_change: components["schemas"]["QualityChange"] | null;
            /** Outcome */
            outcome: ("better" | "worse" | "same" | "too_few") | null;
            worse_for: components["schemas"]["WorseGroup"] | null;
        };
        /**
         * ReleasesResult
         * @description rows: the newest 20 of the period, the newest first.
         */
        ReleasesResult: {
            parameters: components["schemas"]["AppliedParameters"];
            /** Rows */
            rows: components["schemas"]["Release"][];
        };
        /**
         * ReservationCreate
         * @description holder: an id that the window or command has chosen for itself, by which it renews and
         *     releases what it has open. source: answers drawn at random, verdicts that are doubtful, or
         *     `chosen`: the answers of `evaluation_ids` in this order, without those that the author has
         *     labelled. again: of the first two, what others have labelled, for a second label, in place of
         *     what nobody has. held: answers that are open still; the holder's others are released. count: how
         *     many more; 0 renews those held. reasons: with why verdicts are doubtful, which hints at them.
         *     author: the token's name when left out.
         */
        ReservationCreate: {
            /**
             * Holder
             * Format: uuid
             */
            holder: string;
            /**
             * Source
             * @default drawn
             * @enum {string}
             */
            source?: "drawn" | "doubtful" | "chosen";
            /**
             * Again
             * @default false
             */
            again?: boolean;
            /** Author */
            author?: string | null;
            /**
             * Evaluation Ids
             * @default []
             */
            evaluation_ids?: string[];
            /**
             * Held
             * @default []
             */
            held?: string[];
            /**
             * Count
             * @default 2
             */
            count?: number;
            /**
             * Reasons
             * @default false
             */
            reasons?: boolean;
        };
        /**
         * ResultView
         * @description One case of a run. Retrieval figures are null where the search failed;
         *     `missing_chunk_ids` are of the ground truth, no longer exist and count as missed.
         *     faithfulness_decided: false where rules could not tell, and the score counts in no mean; null
         *     for models. outcome: `rightly_refused` where no score counts in a mean. passed: whether the
         *     answer to a case with notes of its own is as expected, null where nobody could tell; mended_in:
         *     where it failed before, the release, else the name, of the run since which it passes.
         */
        ResultView: {
            /** Id */
            id: string;
            /**
             * Test Case Id
             * Format: uuid
             */
            test_case_id: string;
            /** Question */
            question: string;
            /** Retrieved Chunk Ids */
            retrieved_chunk_ids: string[];
            /** Missing Chunk Ids */
            missing_chunk_ids: string[];
            /** Precision */
            precision: number | null;
            /** Recall */
            recall: number | null;
            /** Hit */
            hit: boolean | null;
            /** Reciprocal Rank */
            reciprocal_rank: number | null;
            /** Average Precision */
            average_precision: number | null;
            /** Ndcg */
            ndcg: number | null;
            /** Generated Answer */
            generated_answer: string | null;
            /** Faithfulness */
            faithfulness: number | null;
            /** Faithfulness Reasoning */
            faithfulness_reasoning: string | null;
            /** Faithfulness Decided */
            faithfulness_decided: boolean | null;
            /** Outcome */
            outcome: ("matches" | "mismatch" | "undecided" | "rightly_refused" | "falsely_refused") | null;
            /** Answer Relevancy */
            answer_relevancy: number | null;
            /** Answer Relevancy Reasoning */
            answer_relevancy_reasoning: string | null;
            /** Criteria */
            criteria: {
                [key: string]: components["schemas"]["CriterionOfCase"];
            } | null;
            /** Passed */
            passed: boolean | null;
            /** Mended In */
            mended_in: string | null;
            /** Error */
            error: string | null;
        };
        /**
         * Retrieval
         * @description Which search of a run is measured.
         *
         *     text: full text over chunks. vector: by meaning, over chunks. hybrid: both, by summed scores.
         *     evidence: the search that /ai/chat answers from, by category, by context or by single words; it
         *     ranks notes, so at most one chunk of each is found.
         * @enum {string}
         */
        Retrieval: "text" | "vector" | "hybrid" | "evidence";
        /**
         * RetrievalMetrics
         * @description Means over the measured cases, each 0 to 1.
         *
         *     cases: how many were measured; missing_chunks: ground-truth ids that no longer exist and count
         *     as missed.
         *     intervals: 95 % bootstrap interval of each mean by its name; None with fewer than two cases.
         */
        RetrievalMetrics: {
            /** Precision At K */
            precision_at_k: number;
            /** Recall At K */
            recall_at_k: number;
            /** Hit Rate At K */
            hit_rate_at_k: number;
            /** Mrr */
            mrr: number;
            /** Map */
            map: number;
            /** Ndcg At K */
            ndcg_at_k: number;
            /** K */
            k: number;
            /** Cases */
            cases: number;
            /** Missing Chunks */
            missing_chunks: number;
            /** Intervals */
            intervals: {
                [key: string]: components["schemas"]["Interval"] | null;
            };
        };
        /**
         * ReviewItem
         * @description `score` is the sum of the weights: the higher, the sooner.
         */
        ReviewItem: {
            /** Score */
            score: number;
            /** Reasons */
            reasons: components["schemas"]["ReasonView"][];
            evaluation: components["schemas"]["EvaluationRow"];
        };
        /**
         * ReviewPage
         * @description `next` continues the list; it is null on the last page.
         */
        ReviewPage: {
            /** Items */
            items: components["schemas"]["ReviewItem"][];
            /** Next */
            next: string | null;
        };
        /**
         * RotatedSecret
         * @description `secret` is told this one time. Deliveries are also signed with the one before it until
         *     `previous_secret_until`.
         */
        RotatedSecret: {
            /** Secret */
            secret: string;
            /** Previous Secret Until */
            previous_secret_until: string | null;
        };
        /** RunDetail */
        RunDetail: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Dataset Id */
            dataset_id: string | null;
            /** Dataset Name */
            dataset_name: string;
            /** Dataset Version */
            dataset_version: number;
            status: components["schemas"]["RunStatus"];
            /** K */
            k: number;
            evaluation_type: components["schemas"]["EvaluationType"];
            retrieval: components["schemas"]["Retrieval"];
            /** Embedding Model */
            embedding_model: string | null;
            /** Answer Model */
            answer_model: string;
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string | null;
            /** App Version */
            app_version: string | null;
            /** Cases */
            cases: number;
            /** Done */
            done: number;
            metrics: components["schemas"]["RetrievalMetrics"] | null;
            /** Mean Faithfulness */
            mean_faithfulness: number | null;
            /** Mean Answer Relevancy */
            mean_answer_relevancy: number | null;
            summary: components["schemas"]["RunSummary"] | null;
            /** Error Message */
            error_message: string | null;
            /** Waits For */
            waits_for: ("budget_spent" | "budget_held" | "budget_unpriced") | null;
            /** Waits Until */
            waits_until: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Results */
            results: components["schemas"]["ResultView"][];
        };
        /**
         * RunDifference
         * @description A mean of a run, and the mean minus that of the baseline with its 95 % interval. `p_value`
         *     of a paired permutation test, adjusted for the number of runs in the row (Holm).
         */
        RunDifference: {
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Mean */
            mean: number;
            /** Mark */
            mark: ("highest" | "lowest") | null;
            /** Difference */
            difference: number;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** P Value */
            p_value: number;
            /** Significant */
            significant: boolean;
        };
        /**
         * RunEvaluation
         * @description name: by default that of the dataset with a number. app_version: the release of the
         *     application that the run measures. k: how many chunks the search gives;
         *     full_rag answers each question and has the answer judged, three model calls a case. retrieval:
         *     which search; left out it is `hybrid` where an embedding model is configured, else `text`.
         *
         *     answer_model, judge_model, prompt: only for full_rag. Left out, the judge is that of the
         *     workspace's policy and the answer model that of the server; others than the policy names take
         *     the scope `admin`. prompt: a version of the judge's prompt; left out, that of the policy where
         *     it names another than the usual one, else the two prompts of runs.
         */
        RunEvaluation: {
            /** Name */
            name?: string | null;
            /** App Version */
            app_version?: string | null;
            /**
             * K
             * @default 5
             */
            k?: number;
            /** @default retrieval_only */
            evaluation_type?: components["schemas"]["EvaluationType"];
            retrieval?: components["schemas"]["Retrieval"] | null;
            /** Answer Model */
            answer_model?: string | null;
            /** Judge Model */
            judge_model?: string | null;
            /** Prompt */
            prompt?: string | null;
        };
        /**
         * RunFindings
         * @description `bands` and `patterns` are empty, `diagnosis` null, where no reply of the judge was usable
         *     or nothing was generated. `cases`: worst first.
         */
        RunFindings: {
            /** Bands */
            bands: components["schemas"]["BandRead"][];
            /** Patterns */
            patterns: components["schemas"]["PatternRead"][];
            diagnosis: components["schemas"]["DiagnosisRead"] | null;
            /** Cases */
            cases: components["schemas"]["CaseReading"][];
        };
        /**
         * RunPage
         * @description `next` continues the list; it is null on the last page.
         */
        RunPage: {
            /** Items */
            items: components["schemas"]["RunView"][];
            /** Next */
            next: string | null;
        };
        /**
         * RunReportFormat
         * @description junit: XML that CI servers read as tests. markdown: for people.
         * @enum {string}
         */
        RunReportFormat: "junit" | "markdown";
        /**
         * RunStatus
         * @description A run is `completed` also when items failed: it says how many.
         * @enum {string}
         */
        RunStatus: "pending" | "running" | "completed" | "failed" | "cancelled";
        /**
         * RunSummary
         * @description The figures of a completed run. `metrics` is null when every search failed, `generation` when
         *     nothing was generated or no answer could be judged; `failed` cases could not be measured at
         *     all. criteria: the workspace's own that were in force when it began.
         */
        RunSummary: {
            metrics: components["schemas"]["RetrievalMetrics"] | null;
            generation: components["schemas"]["GenerationMetrics"] | null;
            /** Failed */
            failed: number;
            /** Prompt Tokens */
            prompt_tokens: number | null;
            /** Completion Tokens */
            completion_tokens: number | null;
            /** Cost Usd */
            cost_usd: number | null;
            /** Mean Latency Ms */
            mean_latency_ms: number | null;
            /** Criteria */
            criteria: components["schemas"]["CriterionMean"][];
        };
        /**
         * RunView
         * @description A run; `done` of `cases` are measured. The means are null until it is completed.
         *     `embedding_model` is null where the retrieval asks none; prompt_version is of the judge;
         *     app_version is the release of the application that it measures. While a run waits for money of
         *     the daily budget, `waits_for` says why and `waits_until` when its next part is looked at
         *     again.
         */
        RunView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Dataset Id */
            dataset_id: string | null;
            /** Dataset Name */
            dataset_name: string;
            /** Dataset Version */
            dataset_version: number;
            status: components["schemas"]["RunStatus"];
            /** K */
            k: number;
            evaluation_type: components["schemas"]["EvaluationType"];
            retrieval: components["schemas"]["Retrieval"];
            /** Embedding Model */
            embedding_model: string | null;
            /** Answer Model */
            answer_model: string;
            /** Judge Model */
            judge_model: string;
            /** Prompt Version */
            prompt_version: string | null;
            /** App Version */
            app_version: string | null;
            /** Cases */
            cases: number;
            /** Done */
            done: number;
            metrics: components["schemas"]["RetrievalMetrics"] | null;
            /** Mean Faithfulness */
            mean_faithfulness: number | null;
            /** Mean Answer Relevancy */
            mean_answer_relevancy: number | null;
            summary: components["schemas"]["RunSummary"] | null;
            /** Error Message */
            error_message: string | null;
            /** Waits For */
            waits_for: ("budget_spent" | "budget_held" | "budget_unpriced") | null;
            /** Waits Until */
            waits_until: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * SavedViewCreate
         * @description filters: value by name, as in the address of the list's page. columns: by their names there;
         *     null for its usual ones. What the page does not know it leaves out, and says so. author: the
         *     token's name when left out.
         */
        SavedViewCreate: {
            /** Name */
            name: string;
            /** Filters */
            filters?: {
                [key: string]: string;
            };
            /**
             * Order
             * @default newest
             * @enum {string}
             */
            order?: "newest" | "worst" | "slowest" | "costliest";
            /** Columns */
            columns?: string[] | null;
            /** Author */
            author?: string | null;
        };
        /**
         * SavedViewPage
         * @description All views of the workspace; `next` is null.
         */
        SavedViewPage: {
            /** Items */
            items: components["schemas"]["SavedViewRead"][];
            /** Next */
            next: string | null;
        };
        /**
         * SavedViewRead
         * @description filters: value by name, as in the address of the list's page; there days are those of the
         *     reader's clock. columns: by their names on the page, null for its usual ones. A page of another
         *     release may not know all of them. author: who made it.
         */
        SavedViewRead: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Filters */
            filters: {
                [key: string]: string;
            };
            /** Order */
            order: string;
            /** Columns */
            columns: string[] | null;
            /** Author */
            author: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * SavedViewUpdate
         * @description What is left out stays as it is; null gives the view the usual columns.
         */
        SavedViewUpdate: {
            /** Name */
            name?: string | null;
            /** Filters */
            filters?: {
                [key: string]: string;
            } | null;
            /** Order */
            order?: ("newest" | "worst" | "slowest" | "costliest") | null;
            /** Columns */
            columns?: string[] | null;
        };
        /**
         * Scope
         * @description What a token may do: `read` notes and verdicts, `write` (ask, import, judge), `admin` of its
         *     workspace; `operator`: what concerns all workspaces. That one is given on the server only.
         * @enum {string}
         */
        Scope: "read" | "write" | "admin" | "operator";
        /**
         * SearchQAEvaluation
         * @description A verdict on one answer. Scores lie between 0 and 1.
         *
         *     flags: doubts about the verdict itself, each a key with an optional detail:
         *     `score_contradicts_issues`, `quote_not_found:<note_index>`, `claims_limit_reached`,
         *     `confidence_lowered:<reason>`; by the one call, with the number of the sentence from 1,
         *     `quote_not_found:<n>`, `quote_in_other_note:<n>`, `value_not_stated:<n>`,
         *     `claim_not_judged:<n>`, `sentence_not_judged:<n>`, `utility_by_rules`, `prompt_shortened` and
         *     `nothing_claimed`; and what rules could not add: `checklist_ended:<why>`, `phases_ended:<why>`.
         *     extent: how much was judged, None where it was not stored. outcome: of rules, and of a refusal;
         *     None of other answers by a model.
         */
        SearchQAEvaluation: {
            /** Correctness */
            correctness: number;
            /** Utility */
            utility: number;
            /**
             * Confidence
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** Source Coverage */
            source_coverage: components["schemas"]["SourceCoverage"][];
            /** Grounding Issues */
            grounding_issues: string[];
            /** Summary */
            summary: string;
            /** Flags */
            flags?: string[];
            extent?: components["schemas"]["Extent"] | null;
            /** Outcome */
            outcome?: ("matches" | "mismatch" | "undecided" | "rightly_refused" | "falsely_refused") | null;
            /**
             * Decided
             * @description False where rules could not tell whether the answer is grounded.
             */
            readonly decided: boolean;
        };
        /**
         * SearchQAEvaluationView
         * @description state: what the verdict comes to, in one word.
         *     guarantee: null unless confidence is high and a judge of the workspace is calibrated.
         *     probability: the chance that people find the answer right, 0 to 1, by the judge's calibration
         *     when the verdict was recorded; null without one.
         */
        SearchQAEvaluationView: {
            /** Correctness */
            correctness: number;
            /** Utility */
            utility: number;
            /**
             * Confidence
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** Source Coverage */
            source_coverage: components["schemas"]["SourceCoverageView"][];
            /** Grounding Issues */
            grounding_issues: string[];
            /** Summary */
            summary: string;
            /** Flags */
            flags?: string[];
            extent?: components["schemas"]["Extent"] | null;
            /** Outcome */
            outcome?: ("matches" | "mismatch" | "undecided" | "rightly_refused" | "falsely_refused") | null;
            /**
             * State
             * @enum {string}
             */
            state: "confirmed" | "incomplete" | "off_topic" | "partly" | "contradicted" | "not_in_notes" | "rightly_refused" | "falsely_refused" | "not_judged";
            guarantee: components["schemas"]["GuaranteeView"] | null;
            /** Probability */
            probability: number | null;
            /**
             * Decided
             * @description False where rules could not tell whether the answer is grounded.
             */
            readonly decided: boolean;
        };
        /**
         * SearchView
         * @description How the answer's notes were found: `method` is null when none were looked for, `events`
         *     tell what was tried. found: whether the answer was given any notes. matched_keyword: the word
         *     that found them where nothing but single words did. disposal_rules: null without a search
         *     that found something.
         */
        SearchView: {
            /** Found */
            found: boolean;
            /** Method */
            method: string | null;
            /** Matched Keyword */
            matched_keyword: string | null;
            disposal_rules: components["schemas"]["DisposalRules"] | null;
            /** Events */
            events: string[];
            /** Evidence */
            evidence: components["schemas"]["EvidenceView"][];
        };
        /**
         * SecretRotate
         * @description overlap_hours: how long deliveries are also signed with the present secret; 0 ends it now,
         *     as after a leak.
         */
        SecretRotate: {
            /**
             * Overlap Hours
             * @default 24
             */
            overlap_hours?: number;
        };
        /**
         * Selection
         * @description ids: the first MAX_SELECTED evaluations of the list, in its order; matching: how many there
         *     are in all, counted up to 10,000; more: there are more than that.
         */
        Selection: {
            /** Ids */
            ids: string[];
            /** Matching */
            matching: number;
            /** More */
            more: boolean;
        };
        /**
         * Sentence
         * @description Characters `start` to `end` of the answer, the end excluded.
         */
        Sentence: {
            /** Start */
            start: number;
            /** End */
            end: number;
        };
        /**
         * Series
         * @description Each is a mean of answers, 0 to 1.
         *
         *     SCORE: the judge's correctness. CORRECTED: mean correctness by labels of drawn answers and the
         *     judge. COVERAGE: the share of answers given to the judge that it scored itself. UNJUDGED: the
         *     share of all answers that were skipped or failed.
         * @enum {string}
         */
        Series: "score" | "corrected" | "coverage" | "unjudged";
        /**
         * Shift
         * @description The new judge's bias in one figure: `second` less `first`, the old judge's. group, value: of
         *     which answers, by the old judge's confidence (where chance alone draws extremes to the middle),
         *     their language or notebook. high: share with high confidence. criterion: the score by that of
         *     the workspace which `value` names; alike: share of answers with the same score by both.
         *
         *     comparable: yes where the interval lies within MARGIN, no where it leaves out 0, else unclear,
         *     as with fewer than MIN_PAIRS answers.
         */
        Shift: {
            /** First */
            first: number;
            /** Second */
            second: number;
            /** Difference */
            difference: number;
            interval: components["schemas"]["Interval"] | null;
            /**
             * Figure
             * @enum {string}
             */
            figure: "correctness" | "utility" | "overall" | "high" | "criterion";
            /**
             * Group
             * @enum {string}
             */
            group: "all" | "confidence" | "lang" | "notebook";
            /** Value */
            value: string;
            /** Answers */
            answers: number;
            /**
             * Comparable
             * @enum {string}
             */
            comparable: "yes" | "no" | "unclear";
            /** Alike */
            alike?: number | null;
        };
        /**
         * ShippedPrompt
         * @description A prompt that instructions can be written for. texts: its own ones by language, with the
         *     placeholders; fixed: what takes their place, the sections as where all of them are wanted.
         */
        ShippedPrompt: {
            /** Version */
            version: string;
            /** Default */
            default: boolean;
            /** Texts */
            texts: {
                [key: string]: string;
            };
            /** Fixed */
            fixed: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        /**
         * Side
         * @description One of the two judges. stored: verdicts that readers were given before, of answers on which
         *     it failed now; failed: answers without either. with_people: labels of people against its own by
         *     the correctness; null without labels. usd_per_1000, seconds: means of an answer, tries that
         *     failed included.
         */
        Side: {
            /** Judge Model */
            judge_model: string;
            /** Verdicts */
            verdicts: number;
            /** Stored */
            stored: number;
            /** Failed */
            failed: number;
            /** First Error */
            first_error: string | null;
            with_people: components["schemas"]["Agreement"] | null;
            usd_per_1000: components["schemas"]["Estimate"];
            seconds: components["schemas"]["Estimate"];
        };
        /**
         * Slots
         * @description Age in years, sex, conditions and medications, each where known. Fields may be given by
         *     their English or their Korean names (나이, 성별, 질환, 약물).
         */
        Slots: {
            /** Age */
            age?: number | null;
            /** Sex */
            sex?: string | null;
            /**
             * Conditions
             * @default []
             */
            conditions?: string[];
            /**
             * Medications
             * @default []
             */
            medications?: string[];
        };
        /**
         * SourceCoverage
         * @description Whether the answer used one note. `note_index` counts from 1.
         *
         *     quote: the passage of the note that bears the claim, "" when the judge gave none;
         *     quote_found: whether the note holds that passage, checked by code, None without a quote.
         */
        SourceCoverage: {
            /** Note Index */
            note_index: number;
            /** Note Title */
            note_title: string;
            /** Cited */
            cited: boolean;
            /** Relevant Claim */
            relevant_claim: string;
            /**
             * Quote
             * @default
             */
            quote?: string;
            /** Quote Found */
            quote_found?: boolean | null;
        };
        /**
         * SourceCoverageView
         * @description A note that the answer was given; note_id is null for notes that are not ours or gone.
         */
        SourceCoverageView: {
            /** Note Index */
            note_index: number;
            /** Note Title */
            note_title: string;
            /** Cited */
            cited: boolean;
            /** Relevant Claim */
            relevant_claim: string;
            /**
             * Quote
             * @default
             */
            quote?: string;
            /** Quote Found */
            quote_found?: boolean | null;
            /** Note Id */
            note_id: string | null;
        };
        /** SourceCreate */
        SourceCreate: {
            /**
             * Title
             * @default
             */
            title?: string;
            /** Content */
            content: string;
        };
        /**
         * SourceView
         * @description A note as the answering model saw it, and what the verdict says of its use. `note_id` is
         *     null for notes that are not ours or gone; `score` is that of the search.
         */
        SourceView: {
            /** Note Index */
            note_index: number;
            /** Note Id */
            note_id: string | null;
            /** Title */
            title: string;
            /** Content */
            content: string;
            /** Score */
            score: number | null;
            /** Cited */
            cited: boolean;
            /** Relevant Claim */
            relevant_claim: string;
            /** Quote */
            quote: string;
            /** Quote Found */
            quote_found: boolean | null;
        };
        /**
         * SpanOverlap
         * @description Characters that people and a judge marked, over `answers` that both marked.
         *
         *     As in RAGTruth (Niu et al. 2024), where a character counts once however often it is marked.
         *     precision: of what the judge marked, the share that people marked too; recall: the reverse;
         *     f1: twice the common part over the sum of both. None where the denominator is 0.
         */
        SpanOverlap: {
            /** Answers */
            answers: number;
            /** Precision */
            precision: number | null;
            /** Recall */
            recall: number | null;
            /** F1 */
            f1: number | null;
        };
        /**
         * SpanView
         * @description A part of the way to a verdict. start: null where it is not known when it began, which then
         *     stands in the timeline's `unknown` too. duration_ms: null while it lasts (`open`), for a moment,
         *     and where it is not known.
         *
         *     queue and wait: until a worker claims the row, for `reason`. batch: in a batch of the judge's
         *     provider, `for_batch` until it was handed in, `in_batch` from then on. attempt: from claim to
         *     record, of which the judge took `judge_ms`; it ended with `status`. call: to a judge, for
         *     `purpose`, see JudgeCallView. record: the moment of the verdict or failure. deliver: from then
         *     until the first reader's stream was sent it. first_chunk_ms: until the model's first words.
         */
        SpanView: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "search" | "generate" | "queue" | "wait" | "batch" | "attempt" | "call" | "record" | "deliver";
            /** Start */
            start: string | null;
            /** Duration Ms */
            duration_ms: number | null;
            /**
             * Open
             * @default false
             */
            open: boolean;
            /** Attempt */
            attempt: number | null;
            /** Model */
            model: string | null;
            status: components["schemas"]["Status"] | null;
            /** Reason */
            reason: string | null;
            /** Purpose */
            purpose: string | null;
            /**
             * Re Ask
             * @default false
             */
            re_ask: boolean;
            /**
             * Batched
             * @default false
             */
            batched: boolean;
            /** Cascade Step */
            cascade_step: number | null;
            /** Retry After */
            retry_after: string | null;
            /**
             * Discarded
             * @default false
             */
            discarded: boolean;
            /** Error */
            error: string | null;
            /** Judge Ms */
            judge_ms: number | null;
            /** First Chunk Ms */
            first_chunk_ms: number | null;
        };
        /**
         * Status
         * @enum {string}
         */
        Status: "queued" | "running" | "retrying" | "succeeded" | "failed" | "skipped";
        /**
         * Steadiness
         * @description Of a judge that was sent each input `repeats` times, over the `answers` with a score each
         *     time.
         *
         *     same_verdict: share of answers of which all repeats lie on one side of the threshold (total
         *     agreement, Atil et al. 2024). spread: standard deviation of the score of one answer (0 to .71).
         *     judge_share: share of the variance of scores that comes from the judge; the rest comes from the
         *     answers and from what was retrieved for them. It is 1 less the intraclass correlation ICC(1)
         *     (Shrout and Fleiss 1979), at most 1; None where all scores are alike.
         */
        Steadiness: {
            /** Repeats */
            repeats: number;
            /** Answers */
            answers: number;
            same_verdict: components["schemas"]["Estimate"];
            spread: components["schemas"]["Estimate"];
            judge_share: components["schemas"]["Estimate"];
        };
        /**
         * StepThresholds
         * @description A verdict with confidence low is sure with a correctness of at most `low`, one with
         *     confidence high from `high` on; null where none is.
         */
        StepThresholds: {
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
        };
        /**
         * StepView
         * @description Something that happened to a verdict, or where `refinement_id` is set, to the improvement
         *     of its answer.
         */
        StepView: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Status */
            status: string;
            /** Refinement Id */
            refinement_id: string | null;
        };
        /**
         * StopReason
         * @description Why the loop ended.
         *
         *     THRESHOLD: the answer is good enough. MAX_ITERATIONS: not yet, but that was the last try.
         *     SAME_DOCUMENTS: the new query found what an earlier one had found. NO_GAIN: the new answer
         *     is no better. NO_DOCUMENTS: the new query found nothing. LOWER_VERDICT: the new answer is better
         *     by the scores of the loop, but the judge of the first answer says that it is worse. FAILED: no
         *     answer could be had from the model.
         * @enum {string}
         */
        StopReason: "threshold" | "max_iterations" | "same_documents" | "no_gain" | "no_documents" | "lower_verdict" | "failed";
        /**
         * Stratum
         * @description answers: of the frame, at the time of the draw; drawn, labelled: of these, by this draw, and
         *     by anybody; inclusion_probability: above 0 to 1, null where none was drawn.
         */
        Stratum: {
            /** Name */
            name: string;
            /** Answers */
            answers: number;
            /** Drawn */
            drawn: number;
            /** Labelled */
            labelled: number;
            /** Inclusion Probability */
            inclusion_probability: number | null;
        };
        /**
         * SuccessionCreate
         * @description old: a judge of the policy; new: who is to take its place. answers: how many of the stored
         *     ones both judge, labelled ones first, then drawn ones, both in an order that `seed` gives.
         *     max_cost_usd: as many of them as are expected to cost no more.
         */
        SuccessionCreate: {
            /** Old */
            old: string;
            /** New */
            new: string;
            /**
             * Answers
             * @default 200
             */
            answers?: number;
            /** Max Cost Usd */
            max_cost_usd?: number | null;
            /**
             * Seed
             * @default 0
             */
            seed?: number;
        };
        /**
         * SuccessionDetail
         * @description `summary` is null until it is completed.
         */
        SuccessionDetail: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Old Model */
            old_model: string;
            /** New Model */
            new_model: string;
            /** Seed */
            seed: number;
            /** Max Cost Usd */
            max_cost_usd: number | null;
            /** Made By */
            made_by: string;
            status: components["schemas"]["RunStatus"];
            /** Total */
            total: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Spent Usd */
            spent_usd: number | null;
            /** Error Message */
            error_message: string | null;
            /** Forced */
            forced: boolean;
            /** Switched At */
            switched_at: string | null;
            /** Undone At */
            undone_at: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Finished At */
            finished_at: string | null;
            summary: components["schemas"]["SuccessionReport"] | null;
        };
        /**
         * SuccessionEstimate
         * @description What a succession would take: `answers` that both judges would judge, `labelled` of them by
         *     people, and calls of models, tokens and US dollars, null where nobody knows a price. too_dear:
         *     answers that max_cost_usd leaves out.
         */
        SuccessionEstimate: {
            /** Answers */
            answers: number;
            /** Labelled */
            labelled: number;
            /** Too Dear */
            too_dear: number;
            /** Calls */
            calls: number;
            /** Prompt Tokens */
            prompt_tokens: number;
            /** Completion Tokens */
            completion_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
        };
        /**
         * SuccessionPage
         * @description `next` continues the list; it is null on the last page.
         */
        SuccessionPage: {
            /** Items */
            items: components["schemas"]["SuccessionView"][];
            /** Next */
            next: string | null;
        };
        /**
         * SuccessionReport
         * @description pairs: answers that both judges have a verdict on; labelled: of these, those that people have
         *     labelled. agreement: of the judges with each other. people: share of labelled answers that a
         *     judge and people both find right, or both do not.
         *
         *     guarantee: what becomes of that of the old judge, see CalibratedJudge; null where it has none.
         *     It is looked for again when the policy switches.
         *
         *     objections: `fails` on more than MAX_FAILED of the sample; `less_accurate` by people's labels,
         *     where the interval leaves out 0; `too_few` pairs to say anything.
         */
        SuccessionReport: {
            old: components["schemas"]["Side"];
            new: components["schemas"]["Side"];
            /** Pairs */
            pairs: number;
            /** Labelled */
            labelled: number;
            agreement: components["schemas"]["Agreement"];
            people: components["schemas"]["BothMeans"] | null;
            /** Shifts */
            shifts: components["schemas"]["Shift"][];
            guarantee?: components["schemas"]["CalibratedJudge"] | null;
            /** Objections */
            objections: ("fails" | "less_accurate" | "too_few")[];
        };
        /**
         * SuccessionSwitch
         * @description force: in spite of what the report objects to the new judge.
         */
        SuccessionSwitch: {
            /**
             * Force
             * @default false
             */
            force?: boolean;
        };
        /**
         * SuccessionView
         * @description Of `total` verdicts, two of each answer, `done` are there, `failed` of them without one;
         *     spent_usd: what they took, null where nobody knows. switched_at: when the policy was given the
         *     new judge, undone_at: when it was given the old one back; null where it was not. forced: in
         *     spite of what the report objects.
         */
        SuccessionView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Old Model */
            old_model: string;
            /** New Model */
            new_model: string;
            /** Seed */
            seed: number;
            /** Max Cost Usd */
            max_cost_usd: number | null;
            /** Made By */
            made_by: string;
            status: components["schemas"]["RunStatus"];
            /** Total */
            total: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Spent Usd */
            spent_usd: number | null;
            /** Error Message */
            error_message: string | null;
            /** Forced */
            forced: boolean;
            /** Switched At */
            switched_at: string | null;
            /** Undone At */
            undone_at: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Finished At */
            finished_at: string | null;
        };
        /**
         * SystemHealth
         * @description `delayed`: verdicts come late, or will. waiting: answers of the workspace without a verdict,
         *     counted up to 10,000 and only while verdicts are delayed; stranded: those of them that wait for
         *     a paused judge which the policy does not name.
         */
        SystemHealth: {
            condition: components["schemas"]["Condition"];
            /** Delayed */
            delayed: boolean;
            /** Waiting */
            waiting: number;
            /** Stranded */
            stranded: number;
        };
        /**
         * SystemProblem
         * @description queue and judge_model: None where it is about more than one. due: verdicts that wait for it;
         *     oldest_seconds: for how long the first of them has. workspaces: that have no index, and
         *     obstacle: what keeps it from being made; None where a job makes it. ends_on: last day of a model
         *     that so many workspaces name.
         */
        SystemProblem: {
            condition: components["schemas"]["Condition"];
            queue: components["schemas"]["Queue"] | null;
            /** Judge Model */
            judge_model: string | null;
            /** Due */
            due: number;
            /** Oldest Seconds */
            oldest_seconds: number | null;
            /**
             * Workspaces
             * @default 0
             */
            workspaces?: number;
            obstacle?: components["schemas"]["Obstacle"] | null;
            /** Ends On */
            ends_on?: string | null;
        };
        /**
         * SystemRead
         * @description problems: the most severe first. queues: null while no dispatcher reports them. tables: the
         *     largest, with what is in their indexes.
         */
        SystemRead: {
            condition: components["schemas"]["Condition"];
            /** Problems */
            problems: components["schemas"]["SystemProblem"][];
            /** Queues */
            queues: components["schemas"]["Backlog"][] | null;
            /** Processes */
            processes: components["schemas"]["ProcessRead"][];
            /** Database Bytes */
            database_bytes: number;
            /** Tables */
            tables: components["schemas"]["TableSize"][];
            versions: components["schemas"]["Versions"];
        };
        /**
         * TableSize
         * @description total_bytes: with indexes and large values. estimated_rows: by the last ANALYZE. parts: 0
         *     where it is not partitioned.
         */
        TableSize: {
            /** Name */
            name: string;
            /** Total Bytes */
            total_bytes: number;
            /** Index Bytes */
            index_bytes: number;
            /** Estimated Rows */
            estimated_rows: number;
            /** Parts */
            parts: number;
        };
        /**
         * TestedThreshold
         * @description Of `labels` labelled high verdicts with a correctness of at least `score`, people found
         *     `right` right: with the wanted confidence more than a share `bound` of all such answers.
         */
        TestedThreshold: {
            /** Score */
            score: number;
            /** Labels */
            labels: number;
            /** Right */
            right: number;
            /** Bound */
            bound: number;
        };
        /**
         * Threshold
         * @description Told once on each day on which the metric crosses `value`: a share of 0 to 1, or US
         *     dollars.
         */
        Threshold: {
            metric: components["schemas"]["AlertMetric"];
            direction: components["schemas"]["Direction"];
            /** Value */
            value: number;
        };
        /**
         * TimelineView
         * @description Spans in the order in which they began. now, start and end are of PostgreSQL's clock; end is
         *     `now` while the verdict is not final. from_cache: a reply was one to an identical request for
         *     another answer, for which no call was made. awaited: empty where no model is asked, and when
         *     nothing is waited for. unknown: what is not stored of this verdict.
         */
        TimelineView: {
            /**
             * Now
             * Format: date-time
             */
            now: string;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * End
             * Format: date-time
             */
            end: string;
            status: components["schemas"]["Status"];
            /** Judged Again */
            judged_again: boolean;
            /** From Cache */
            from_cache: boolean;
            /** Spans */
            spans: components["schemas"]["SpanView"][];
            /** Awaited */
            awaited: components["schemas"]["AwaitedCalls"][];
            /** Unknown */
            unknown: ("search" | "generate" | "history" | "calls" | "deliver")[];
        };
        /**
         * TokenCreate
         * @description expires_in_days: null is for ever. The scope `operator` is given on the server only, by
         *     `searchqa token create`.
         */
        TokenCreate: {
            /** Name */
            name: string;
            /** Scopes */
            scopes: ("read" | "write" | "admin")[];
            /** Expires In Days */
            expires_in_days?: number | null;
        };
        /**
         * TokenCreated
         * @description `token` is told this one time: the server keeps its SHA-256 only.
         */
        TokenCreated: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Scopes */
            scopes: components["schemas"]["Scope"][];
            /**
             * State
             * @enum {string}
             */
            state: "valid" | "expired" | "revoked";
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Last Used At */
            last_used_at: string | null;
            /** Revoked At */
            revoked_at: string | null;
            /** Subject */
            subject: string | null;
            /**
             * Current
             * @default false
             */
            current?: boolean;
            /** Token */
            token: string;
        };
        /**
         * TokenPage
         * @description Newest first, all on one page.
         */
        TokenPage: {
            /** Items */
            items: components["schemas"]["TokenRead"][];
            /** Next */
            next?: null;
        };
        /**
         * TokenRead
         * @description `current` is the token that asks. `subject`: the issuer and user of the login provider that a
         *     session began at.
         */
        TokenRead: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Scopes */
            scopes: components["schemas"]["Scope"][];
            /**
             * State
             * @enum {string}
             */
            state: "valid" | "expired" | "revoked";
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Last Used At */
            last_used_at: string | null;
            /** Revoked At */
            revoked_at: string | null;
            /** Subject */
            subject: string | null;
            /**
             * Current
             * @default false
             */
            current?: boolean;
        };
        /**
         * TokenRotate
         * @description overlap_hours: how long the old token still works beside the new one.
         */
        TokenRotate: {
            /**
             * Overlap Hours
             * @default 24
             */
            overlap_hours?: number;
        };
        /**
         * Told
         * @description A sentence or two, in English and Korean.
         */
        Told: {
            /** En */
            en: string;
            /** Ko */
            ko: string;
        };
        /**
         * TraceView
         * @description settle_at: when spans that have arrived since are due; null without any.
         */
        TraceView: {
            /** Trace Id */
            trace_id: string;
            outcome: components["schemas"]["Outcome"];
            /** Service */
            service: string;
            /** Name */
            name: string;
            /** Spans */
            spans: number;
            /** Answers */
            answers: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Settle At */
            settle_at: string | null;
        };
        /**
         * TracesSummary
         * @description outcomes: settled traces by what came of them. counts: requests, spans and answers. newest:
         *     settled traces by the time of their first span.
         */
        TracesSummary: {
            /** Days */
            days: number;
            /** Outcomes */
            outcomes: {
                [key: string]: number;
            };
            /** Counts */
            counts: {
                [key: string]: number;
            };
            /** Newest */
            newest: components["schemas"]["TraceView"][];
        };
        /**
         * TrialCreate
         * @description judge_model, prompt: those of the workspace's policy if left out; another model than the
         *     policy names takes the scope `admin`. text: instructions in the place of those of the prompt, in
         *     the language of the answer.
         */
        TrialCreate: {
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /** Judge Model */
            judge_model?: string | null;
            /** Prompt */
            prompt?: string | null;
            /** Text */
            text?: string | null;
        };
        /**
         * TrialVerdict
         * @description What the judge says. evaluation: as it would be stored, with the confidence that it would
         *     have; claims: null where the prompt asks for none; overall_score: of the phases, 0 to 1, null
         *     without any; criteria: by the workspace's own that were in force.
         */
        TrialVerdict: {
            evaluation: components["schemas"]["SearchQAEvaluation"];
            quality: components["schemas"]["QualityResult"] | null;
            /** Claims */
            claims: components["schemas"]["ClaimView"][] | null;
            /** Overall Score */
            overall_score: number | null;
            /** Prompt Version */
            prompt_version: string;
            /** Criteria */
            criteria?: components["schemas"]["CriterionScoreView"][];
            /**
             * State
             * @enum {string}
             */
            readonly state: "confirmed" | "incomplete" | "off_topic" | "partly" | "contradicted" | "not_in_notes" | "rightly_refused" | "falsely_refused" | "not_judged";
        };
        /**
         * TrialView
         * @description A trial. prompt: the version; instructions: what replaced those of it in `lang`, null where
         *     nothing did. status: of its job; verdict: null until it has succeeded, error until it has
         *     failed. What it took is null where nobody knows: tokens, US dollars, milliseconds.
         */
        TrialView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Evaluation Id
             * Format: uuid
             */
            evaluation_id: string;
            /** Judge Model */
            judge_model: string;
            /** Prompt */
            prompt: string;
            /** Instructions */
            instructions: string | null;
            /**
             * Lang
             * @enum {string}
             */
            lang: "ko" | "en";
            /** Made By */
            made_by: string;
            status: components["schemas"]["JobStatus"];
            /** Error */
            error: string | null;
            verdict: components["schemas"]["TrialVerdict"] | null;
            /** Calls */
            calls: number | null;
            /** Prompt Tokens */
            prompt_tokens: number | null;
            /** Completion Tokens */
            completion_tokens: number | null;
            /** Cost Usd */
            cost_usd: number | null;
            /** Judge Ms */
            judge_ms: number | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Finished At */
            finished_at: string | null;
        };
        /**
         * TrueQualityResult
         * @description sql: the text whose sums the rows are computed from. rows: for each group, its measures:
         *     grounded (the share of answers that people find right), correctness and utility.
         */
        TrueQualityResult: {
            parameters: components["schemas"]["AppliedParameters"];
            /**
             * By
             * @enum {string}
             */
            by: "all" | "day" | "week" | "judge" | "model" | "lang" | "notebook" | "app_version" | "environment";
            /** Width */
            width: number;
            /** Sql */
            sql: string;
            /** Rows */
            rows: components["schemas"]["TrueQualityRow"][];
        };
        /**
         * TrueQualityRow
         * @description One measure of one group of answers that were judged, degraded verdicts left out.
         *
         *     group: null where all are one group, or the answers have no such property. answers: with a
         *     verdict; covered: those that a labelled draw could have picked, which the estimates are of;
         *     drawn, labels: of these, and how many labels count.
         *     raw: the judge's figure over all `answers`, for grounded the share with a correctness of .8 or
         *     more. corrected: what the mean of people's labels would be over the covered ones, by judge and
         *     labels together; labels_only: by labels alone; both null
         *     with too few labels. power: how much the judge's scores count, 0 not at all.
         *     more_labels: how many more make the interval as narrow as asked for, as far as there are
         *     answers. strata: parts of draws
         *     that have no label. note: too_few_answers (labelling all of them would not do), not_drawn (no
         *     answer was in a draw), too_few_labels, labels_alike, partly_covered, the first that holds; null
         *     where there is nothing to say.
         */
        TrueQualityRow: {
            /** Group */
            group: string | null;
            /**
             * Measure
             * @enum {string}
             */
            measure: "grounded" | "correctness" | "utility";
            /** Answers */
            answers: number;
            /** Covered */
            covered: number;
            /** Drawn */
            drawn: number;
            /** Labels */
            labels: number;
            /** Raw */
            raw: number;
            corrected: components["schemas"]["Bounds"] | null;
            labels_only: components["schemas"]["Bounds"] | null;
            /** Power */
            power: number | null;
            /** More Labels */
            more_labels: number;
            /** Strata */
            strata: string[];
            /** Note */
            note: ("too_few_answers" | "not_drawn" | "too_few_labels" | "labels_alike" | "partly_covered") | null;
            change: components["schemas"]["QualityChange"] | null;
        };
        /**
         * Turn
         * @description A question that was asked earlier in the dialogue, and what it was answered. What a question
         *     asked helps to understand the next one; what an answer said is no evidence.
         */
        Turn: {
            /** Question */
            question: string;
            /** Answer */
            answer: string;
        };
        /**
         * TurnCreate
         * @description A question that was asked earlier in the dialogue, and what it was answered; either may be
         *     blank.
         */
        TurnCreate: {
            /** Question */
            question: string;
            /** Answer */
            answer: string;
        };
        /**
         * UserDeletion
         * @description The receipt, of which the audit log keeps the same. user_ref: the keyed hash, also where the
         *     policy stores users as sent. deleted: rows by table; of `eval_results` and `judge_bench_items`
         *     the texts went and the figures stay. complete: false where so much was there that another call
         *     is needed.
         */
        UserDeletion: {
            /** User Ref */
            user_ref: string;
            /** Deleted */
            deleted: {
                [key: string]: number;
            };
            /** Complete */
            complete: boolean;
            /**
             * Deleted At
             * Format: date-time
             */
            deleted_at: string;
            /** Deleted By */
            deleted_by: string;
        };
        /**
         * UserDeletionCreate
         * @description user_ref: as the application sends it, or `hmac:` and the hash that answers show.
         */
        UserDeletionCreate: {
            /** User Ref */
            user_ref: string;
        };
        /**
         * Verification
         * @description `position` and `hash` are those of the newest event: kept elsewhere, they prove later that
         *     nothing was cut off or rewritten. `changed` and `missing`: at most 100 each. `head_differs`: the
         *     record of the newest event was changed, or there are events beside the chain. `noted_hash`: of
         *     the event at `noted`.
         */
        Verification: {
            /** Whole */
            whole: boolean;
            /** Events */
            events: number;
            /** Position */
            position: number;
            /** Hash */
            hash: string | null;
            /** Deleted By Retention */
            deleted_by_retention: number;
            /** Changed */
            changed: number[];
            /** Missing */
            missing: components["schemas"]["Gap"][];
            /** Head Differs */
            head_differs: boolean;
            /** Noted Hash */
            noted_hash: string | null;
        };
        /**
         * Versions
         * @description schema_revision: the last migration. redis: null while it is unreachable.
         */
        Versions: {
            /** Release */
            release: string;
            /** Schema Revision */
            schema_revision: string;
            /** Postgresql */
            postgresql: string;
            /** Redis */
            redis: string | null;
        };
        /**
         * WatchedSeries
         * @description How far a series of a judge is watched: its points since it began or since its last alarm,
         *     and the last day of them. missing: points until alarms are possible, each of at least 20 answers
         *     of a day or of some days together (10 labels for `corrected`); 0 when it is watched.
         */
        WatchedSeries: {
            /** Judge Model */
            judge_model: string;
            series: components["schemas"]["Series"];
            /** Points */
            points: number;
            /** Missing */
            missing: number;
            /** Last Day */
            last_day: string | null;
        };
        /**
         * WebhookCreate
         * @description url: a public http or https address. lang: of texts that people read, as in Slack. Filters
         *     hold for verdicts, `judges` also for judges; null lets everything pass. include_content: also
         *     send question, answer and claims, which leave the server then. backlog_minutes: when the oldest
         *     waiting answer makes a backlog. thresholds: of the event threshold.crossed.
         */
        WebhookCreate: {
            /** Name */
            name: string;
            /** Url */
            url: string;
            /** @default json */
            format?: components["schemas"]["FormatName"];
            /**
             * Lang
             * @default ko
             * @enum {string}
             */
            lang?: "ko" | "en";
            /** Events */
            events: components["schemas"]["EventName"][];
            /** Confidences */
            confidences?: ("high" | "medium" | "low")[] | null;
            /** Judges */
            judges?: string[] | null;
            /** Notebook Ids */
            notebook_ids?: string[] | null;
            /** Features */
            features?: string[] | null;
            /**
             * Include Content
             * @default false
             */
            include_content?: boolean;
            /**
             * Backlog Minutes
             * @default 10
             */
            backlog_minutes?: number;
            /** Thresholds */
            thresholds?: components["schemas"]["Threshold"][];
            /**
             * Enabled
             * @default true
             */
            enabled?: boolean;
        };
        /**
         * WebhookCreated
         * @description `secret` is told this one time; it is not shown again.
         */
        WebhookCreated: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Url */
            url: string;
            format: components["schemas"]["FormatName"];
            /**
             * Lang
             * @enum {string}
             */
            lang: "ko" | "en";
            /** Events */
            events: components["schemas"]["EventName"][];
            /** Confidences */
            confidences: ("high" | "medium" | "low")[] | null;
            /** Judges */
            judges: string[] | null;
            /** Notebook Ids */
            notebook_ids: string[] | null;
            /** Features */
            features: string[] | null;
            /** Include Content */
            include_content: boolean;
            /** Backlog Minutes */
            backlog_minutes: number;
            /** Thresholds */
            thresholds: components["schemas"]["Threshold"][];
            /** Enabled */
            enabled: boolean;
            disabled_reason: components["schemas"]["DisabledReason"] | null;
            /** Disabled At */
            disabled_at: string | null;
            /** Failing Since */
            failing_since: string | null;
            /** Delivered At */
            delivered_at: string | null;
            /** Last Error */
            last_error: string | null;
            /** Pending */
            pending: number;
            /** Previous Secret Until */
            previous_secret_until: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /** Secret */
            secret: string;
        };
        /**
         * WebhookPage
         * @description Newest first, all on one page.
         */
        WebhookPage: {
            /** Items */
            items: components["schemas"]["WebhookView"][];
            /** Next */
            next?: null;
        };
        /**
         * WebhookUpdate
         * @description What is left out stays as it is; null takes a filter away.
         */
        WebhookUpdate: {
            /** Name */
            name?: string | null;
            /** Url */
            url?: string | null;
            format?: components["schemas"]["FormatName"] | null;
            /** Lang */
            lang?: ("ko" | "en") | null;
            /** Events */
            events?: components["schemas"]["EventName"][] | null;
            /** Confidences */
            confidences?: ("high" | "medium" | "low")[] | null;
            /** Judges */
            judges?: string[] | null;
            /** Notebook Ids */
            notebook_ids?: string[] | null;
            /** Features */
            features?: string[] | null;
            /** Include Content */
            include_content?: boolean | null;
            /** Backlog Minutes */
            backlog_minutes?: number | null;
            /** Thresholds */
            thresholds?: components["schemas"]["Threshold"][] | null;
            /** Enabled */
            enabled?: boolean | null;
        };
        /**
         * WebhookView
         * @description url: of format `slack` only the host, because the rest of it is a password. Filters that are
         *     null let everything pass; they hold for verdicts, `judges` also for judges.
         *     disabled_reason: why the server switched it off (gone: the receiver answered 410; failing: it
         *     has taken nothing for days), null where people did. failing_since: the first failed attempt
         *     after the last delivery. previous_secret_until: until when deliveries are also signed with the
         *     secret before.
         */
        WebhookView: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Url */
            url: string;
            format: components["schemas"]["FormatName"];
            /**
             * Lang
             * @enum {string}
             */
            lang: "ko" | "en";
            /** Events */
            events: components["schemas"]["EventName"][];
            /** Confidences */
            confidences: ("high" | "medium" | "low")[] | null;
            /** Judges */
            judges: string[] | null;
            /** Notebook Ids */
            notebook_ids: string[] | null;
            /** Features */
            features: string[] | null;
            /** Include Content */
            include_content: boolean;
            /** Backlog Minutes */
            backlog_minutes: number;
            /** Thresholds */
            thresholds: components["schemas"]["Threshold"][];
            /** Enabled */
            enabled: boolean;
            disabled_reason: components["schemas"]["DisabledReason"] | null;
            /** Disabled At */
            disabled_at: string | null;
            /** Failing Since */
            failing_since: string | null;
            /** Delivered At */
            delivered_at: string | null;
            /** Last Error */
            last_error: string | null;
            /** Pending */
            pending: number;
            /** Previous Secret Until */
            previous_secret_until: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * WhatChanged
         * @description The newest day with at least 10 scored answers beside the days of the period before it.
         *
         *     compared_from: the first of these days. scored, scored_before: verdicts that the means are of,
         *     none degraded. outcome: worse or better where the means differ by 3 points or more and chance
         *     gives as much on fewer than one day in 1,000. causes: what differs most, the largest part first,
         *     of equal ones the group with fewest answers; empty for a usual day, and where nothing in
         *     particular stands out.
         */
        WhatChanged: {
            /**
             * Day
             * Format: date
             */
            day: string;
            /**
             * Compared From
             * Format: date
             */
            compared_from: string;
            /** Scored */
            scored: number;
            /** Scored Before */
            scored_before: number;
            /** Correctness */
            correctness: number;
            /** Correctness Before */
            correctness_before: number;
            change: components["schemas"]["Change"];
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "worse" | "better" | "usual";
            /** Causes */
            causes: components["schemas"]["Cause"][];
        };
        /**
         * WhatChangedResult
         * @description changed: null where no day, or nothing before it, has 10 scored answers.
         */
        WhatChangedResult: {
            parameters: components["schemas"]["AppliedParameters"];
            changed: components["schemas"]["WhatChanged"] | null;
        };
        /**
         * WhoRead
         * @description `token` is the name of the token that asks, `local` where none is asked for.
         */
        WhoRead: {
            /** Workspace */
            workspace: string;
            /** Token */
            token: string;
            /** Scopes */
            scopes: components["schemas"]["Scope"][];
        };
        /**
         * WorkspacePolicy
         * @description What a workspace has judged, by whom and for how much. null leaves a setting to the server.
         *
         *     sample_rate: the share of answers that are judged, 0 to 1, chosen by a hash of the answer's
         *     id. features, languages, notebook_ids (those that were asked, by name), min_answer_chars and
         *     max_answer_chars: only such answers are judged. phases, quality_gate_features: none where the
         *     list is empty. Without notes rules tick the checklist, or the judge where it is named with
         *     `:model`. judge_prompt: the version of the judge's own prompt. fallback_models: judge in the
         *     place of judge_model, in this order, when it cannot; judge_fallback: what comes after the last
         *     of them. cascade: judges that are asked in turn until one is sure, the last of them
         *     judge_model; only where it is calibrated. cascade_check: the share of sure verdicts that the
         *     last one checks. jury: three to five judges, the last of them judge_model, of whom each is
         *     asked in turn until more than half give the same confidence; a tie is the last one's.
         *     reuse_replies: whether identical requests take the stored reply, where the
         *     server keeps to that; never where it is false. daily_budget_usd: what the judges may cost from
         *     midnight to midnight in time_zone; answers beyond it wait for the next day.
         *     auto_refine_features: whose poor answers auto_refine improves, those of all features where it
         *     is left out; only answers from notes can be improved. keep_…_days: how long answers, replies of
         *     judges and events are kept. bulk_by: whether what nobody waits for (judging again) asks a model
         *     by calls, or in batches of its provider, which cost less; batch_hours: how long an answer may
         *     wait for its batch before it is judged by calls. user_refs: whether who asked is stored as a
         *     keyed hash or as the application wrote it; e-mail addresses are hashed in any case. redact:
         *     whether e-mail addresses, phone numbers and Korean resident numbers are replaced by marks before
         *     answers and comments are stored and judged; redact_pattern: what else is, an expression of
         *     RE2.
         */
        WorkspacePolicy: {
            /** Enabled */
            enabled?: boolean | null;
            /** Sample Rate */
            sample_rate?: number | null;
            /** Features */
            features?: ("search_qa" | "insight" | "writing")[] | null;
            /** Languages */
            languages?: ("ko" | "en")[] | null;
            /** Notebook Ids */
            notebook_ids?: string[] | null;
            /** Min Answer Chars */
            min_answer_chars?: number | null;
            /** Max Answer Chars */
            max_answer_chars?: number | null;
            /** Quality Gate */
            quality_gate?: boolean | null;
            /** Quality Gate Features */
            quality_gate_features?: ("search_qa" | "insight" | "insight:model" | "writing" | "writing:model")[] | null;
            /** Phases */
            phases?: ("citation" | "completeness" | "completeness:model" | "groundedness" | "groundedness:model" | "next_steps" | "next_steps:model")[] | null;
            /** Judge Model */
            judge_model?: string | null;
            /** Judge Prompt */
            judge_prompt?: string | null;
            /** Fallback Models */
            fallback_models?: string[] | null;
            /** Judge Fallback */
            judge_fallback?: ("failed" | "rules") | null;
            /** Cascade */
            cascade?: string[] | null;
            /** Cascade Check */
            cascade_check?: number | null;
            /** Jury */
            jury?: string[] | null;
            /** Reuse Replies */
            reuse_replies?: boolean | null;
            /** Daily Budget Usd */
            daily_budget_usd?: number | null;
            /** Time Zone */
            time_zone?: string | null;
            /** Auto Refine */
            auto_refine?: boolean | null;
            /** Auto Refine Features */
            auto_refine_features?: ("search_qa" | "insight" | "writing")[] | null;
            /** Refine Threshold */
            refine_threshold?: number | null;
            /** Refine Iterations */
            refine_iterations?: number | null;
            /** Keep Answers Days */
            keep_answers_days?: number | null;
            /** Keep Judge Bodies Days */
            keep_judge_bodies_days?: number | null;
            /** Keep Events Days */
            keep_events_days?: number | null;
            /** Bulk By */
            bulk_by?: ("calls" | "batch") | null;
            /** Batch Hours */
            batch_hours?: number | null;
            /** User Refs */
            user_refs?: ("hashed" | "plain") | null;
            /** Redact */
            redact?: boolean | null;
            /** Redact Pattern */
            redact_pattern?: string | null;
        };
        /**
         * WorseGroup
         * @description Questions of one language about one topic whose mean correctness has fallen beyond chance,
         *     and which lower that of the release most. topic: null where nothing names one. answers: since;
         *     before, after: their mean correctness.
         */
        WorseGroup: {
            /** Lang */
            lang: string;
            /** Topic */
            topic: string | null;
            /** Answers */
            answers: number;
            /** Before */
            before: number;
            /** After */
            after: number;
        };
        /**
         * ProblemField
         * @description A field of the request that is wrong, and why.
         */
        ProblemField: {
            /** At */
            at: string;
            /** Message */
            message: string;
        };
        /**
         * Problem
         * @description RFC 9457. `type` is stable for programs; `detail` says to a person what to change.
         */
        Problem: {
            /** Type */
            type: string;
            /** Title */
            title: string;
            /** Status */
            status: number;
            /** Detail */
            detail: string;
            /**
             * Errors
             * @default []
             */
            errors?: components["schemas"]["ProblemField"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
            /** @description PostgreSQL takes no writes, or the stack is starting. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedOut"];
                };
            };
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AIChatRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    "Server-Timing": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AIChatResponse"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no note with that `note_id`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model that answers refused the request. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AIChatRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    "Server-Timing": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no note with that `note_id`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model that answers refused the request. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    check_answer: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GateRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_conversations: {
        parameters: {
            query?: {
                limit?: number;
                after?: string | null;
                containing?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_conversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such conversation, or it is somebody else's. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_conversation: {
        parameters: {
            query?: {
                with_answers?: boolean;
            };
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such conversation, or it is somebody else's. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rename_conversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such conversation, or it is somebody else's. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_conversation_answers: {
        parameters: {
            query?: {
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAnswerPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such conversation, or it is somebody else's. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HumanFeedbackView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upsert_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HumanFeedbackView"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
                feedback_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such feedback of this evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_review_queue: {
        parameters: {
            query?: {
                author?: string | null;
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_agreement: {
        parameters: {
            query?: {
                judge_model?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeAgreement"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reserve_answers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReservationCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelQueue"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    release_answers: {
        parameters: {
            query: {
                holder: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_people_agreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleAgreement"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_samples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draw"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    draw_sample: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DrawCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draw"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sampled: {
        parameters: {
            query?: {
                author?: string | null;
                again?: boolean;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrawnQueue"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_evaluations: {
        parameters: {
            query?: {
                status?: components["schemas"]["Status"] | null;
                reason?: string | null;
                outcome?: ("asked" | "scored" | "unscored" | "unrated" | "undecided" | "rightly_refused" | "falsely_refused" | "unjudged" | "pending") | null;
                confidence?: ("high" | "medium" | "low") | null;
                fault?: ("contradicted" | "not_in_notes" | "misattributed" | "stitched") | null;
                answer_id?: string | null;
                failure_id?: string | null;
                min_correctness?: number | null;
                max_correctness?: number | null;
                correctness_below?: number | null;
                min_utility?: number | null;
                max_utility?: number | null;
                judge_model?: string | null;
                made_by?: string | null;
                prompt_version?: string | null;
                answer_model?: string | null;
                feature?: components["schemas"]["Feature"] | null;
                lang?: ("ko" | "en") | null;
                notebook_id?: string | null;
                app_version?: string | null;
                environment?: string | null;
                user_ref?: string | null;
                session_id?: string | null;
                tag?: string | null;
                attribute?: string | null;
                since?: string | null;
                until?: string | null;
                first_day?: string | null;
                last_day?: string | null;
                tz?: string;
                degraded?: boolean | null;
                from_cache?: boolean | null;
                judged_by?: ("model" | "local" | "rules") | null;
                has_issues?: boolean | null;
                issue_kind?: string | null;
                cited_note?: string | null;
                misquoted_note?: string | null;
                labelled?: boolean | null;
                current?: boolean | null;
                criterion?: string | null;
                criterion_label?: string | null;
                min_criterion?: number | null;
                max_criterion?: number | null;
                question?: string | null;
                order?: "newest" | "worst" | "slowest" | "costliest";
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    submit_answer: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationCreated"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such conversation, or it is somebody else's. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The Idempotency-Key was used with another body. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_evaluations: {
        parameters: {
            query?: {
                status?: components["schemas"]["Status"] | null;
                reason?: string | null;
                outcome?: ("asked" | "scored" | "unscored" | "unrated" | "undecided" | "rightly_refused" | "falsely_refused" | "unjudged" | "pending") | null;
                confidence?: ("high" | "medium" | "low") | null;
                fault?: ("contradicted" | "not_in_notes" | "misattributed" | "stitched") | null;
                answer_id?: string | null;
                failure_id?: string | null;
                min_correctness?: number | null;
                max_correctness?: number | null;
                correctness_below?: number | null;
                min_utility?: number | null;
                max_utility?: number | null;
                judge_model?: string | null;
                made_by?: string | null;
                prompt_version?: string | null;
                answer_model?: string | null;
                feature?: components["schemas"]["Feature"] | null;
                lang?: ("ko" | "en") | null;
                notebook_id?: string | null;
                app_version?: string | null;
                environment?: string | null;
                user_ref?: string | null;
                session_id?: string | null;
                tag?: string | null;
                attribute?: string | null;
                since?: string | null;
                until?: string | null;
                first_day?: string | null;
                last_day?: string | null;
                tz?: string;
                degraded?: boolean | null;
                from_cache?: boolean | null;
                judged_by?: ("model" | "local" | "rules") | null;
                has_issues?: boolean | null;
                issue_kind?: string | null;
                cited_note?: string | null;
                misquoted_note?: string | null;
                labelled?: boolean | null;
                current?: boolean | null;
                criterion?: string | null;
                criterion_label?: string | null;
                min_criterion?: number | null;
                max_criterion?: number | null;
                question?: string | null;
                format?: components["schemas"]["RecordFormat"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One record a line; CSV begins with a header and a byte order mark. */
            200: {
                headers: {
                    "Content-Disposition": string;
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_selected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description One record a line; CSV begins with a header and a byte order mark. */
            200: {
                headers: {
                    "Content-Disposition": string;
                    "X-Total-Count": number;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_calls: {
        parameters: {
            query?: {
                bodies?: boolean;
            };
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeCallView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_timeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    select_matching: {
        parameters: {
            query?: {
                status?: components["schemas"]["Status"] | null;
                reason?: string | null;
                outcome?: ("asked" | "scored" | "unscored" | "unrated" | "undecided" | "rightly_refused" | "falsely_refused" | "unjudged" | "pending") | null;
                confidence?: ("high" | "medium" | "low") | null;
                fault?: ("contradicted" | "not_in_notes" | "misattributed" | "stitched") | null;
                answer_id?: string | null;
                failure_id?: string | null;
                min_correctness?: number | null;
                max_correctness?: number | null;
                correctness_below?: number | null;
                min_utility?: number | null;
                max_utility?: number | null;
                judge_model?: string | null;
                made_by?: string | null;
                prompt_version?: string | null;
                answer_model?: string | null;
                feature?: components["schemas"]["Feature"] | null;
                lang?: ("ko" | "en") | null;
                notebook_id?: string | null;
                app_version?: string | null;
                environment?: string | null;
                user_ref?: string | null;
                session_id?: string | null;
                tag?: string | null;
                attribute?: string | null;
                since?: string | null;
                until?: string | null;
                first_day?: string | null;
                last_day?: string | null;
                tz?: string;
                degraded?: boolean | null;
                from_cache?: boolean | null;
                judged_by?: ("model" | "local" | "rules") | null;
                has_issues?: boolean | null;
                issue_kind?: string | null;
                cited_note?: string | null;
                misquoted_note?: string | null;
                labelled?: boolean | null;
                current?: boolean | null;
                criterion?: string | null;
                criterion_label?: string | null;
                min_criterion?: number | null;
                max_criterion?: number | null;
                question?: string | null;
                order?: "newest" | "worst" | "slowest" | "costliest";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Selection"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_evaluation_views: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_evaluation_view: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The name is taken, or there are too many views. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_evaluation_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such view. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_evaluation_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such view. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_evaluation_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such view. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Another view has this name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                answer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such answer. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserDeletionCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDeletion"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workspace_events: {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_evaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    ETag: string;
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationView"];
                    "application/vnd.searchqa.reader+json": components["schemas"]["ReaderVerdict"];
                };
            };
            /** @description Nothing has changed. */
            304: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    evaluation_events: {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string | null;
            };
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description The final state was told already. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_reader_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReaderTokenCreate"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderTokenCreated"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefinementCreate"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefinementView"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such evaluation or refinement. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer was not made from notes. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_refinements: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefinementView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such evaluation or refinement. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_refinement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                refinement_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefinementView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such evaluation or refinement. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimate_rejudge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejudgeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejudgeEstimate"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_rejudge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejudgeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejudgeRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The filter matches nothing, or everything unasked. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reassign_stranded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reassigned"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rejudge_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejudgeRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejudge_one: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JudgeChoice"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewJudgement"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description That judge and prompt have judged the answer, or none could. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_notebooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotebookRead"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_notebook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotebookCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotebookRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_notes: {
        parameters: {
            query?: {
                notebook_id?: string | null;
                title?: string | null;
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotePage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such note. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such note. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_note_quality: {
        parameters: {
            query?: {
                days?: number;
                tz?: string;
            };
            header?: never;
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteQuality"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such note. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_note_conflicts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteConflicts"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such note. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_notes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotesImport"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_file: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_import_file"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_samples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_embeddings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingsRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_embedding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingStarted"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No embedding model is configured. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimate_succession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuccessionCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionEstimate"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No stored answer can be compared on, or one costs more than the budget. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_successions: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_succession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuccessionCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No stored answer can be compared on, or one costs more than the budget. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_succession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                succession_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such succession. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_succession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                succession_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such succession. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    switch_judges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                succession_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuccessionSwitch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such succession. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not completed, has switched already, or its report objects. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undo_succession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                succession_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such succession. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It has switched nothing, or the judges have changed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_succession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                succession_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessionDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such succession. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The succession has ended already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_paused_judges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgePauseRead"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_judge_limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeLimitRead"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_model_endings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndingModel"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_offered_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferedModels"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resume_judge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                judge_model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description That judge is not paused. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_system_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemHealth"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_system: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                status?: components["schemas"]["JobStatus"] | null;
                kind?: string | null;
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    job_events: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last state that was seen. Only the latest state counts: what has been passed through meanwhile is not told again. */
                "Last-Event-ID"?: string | null;
            };
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description The client has seen the end already. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_datasets: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    generate_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetGenerate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobView"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_import_dataset"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_from_answer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaseFromAnswer"];
            };
        };
        responses: {
            /** @description The dataset had the case. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedCase"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedCase"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such evaluation or dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The verdict is not finished. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_passages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PassageView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    review_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetReview"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_dataset: {
        parameters: {
            query?: {
                format?: components["schemas"]["CaseFormat"];
            };
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compare_runs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                other_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One of the runs is not completed, or they have nothing that can be compared. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compared_cases: {
        parameters: {
            query?: {
                show?: "all" | "worse" | "better";
                /** @description `next` of the page before. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                run_id: string;
                other_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparedCases"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One of the runs is not completed, or they have nothing that can be compared. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    baseline_comparison: {
        parameters: {
            query?: {
                other_id?: string[];
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineComparison"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description One of the runs is not completed, or they have nothing that can be compared. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimate_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunEvaluation"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateRead"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_run: {
        parameters: {
            query?: {
                wait?: number;
            };
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunEvaluation"];
            };
        };
        responses: {
            /** @description The run, completed within `wait`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such dataset. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No note has a vector yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_runs: {
        parameters: {
            query?: {
                dataset_id?: string | null;
                name?: string | null;
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_progress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_events: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last state that was seen. Only the latest state counts: what has been passed through meanwhile is not told again. */
                "Last-Event-ID"?: string | null;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description The client has seen the end already. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_report: {
        parameters: {
            query?: {
                format?: components["schemas"]["RunReportFormat"];
                /** @description Means to reach: `recall=0.85,mrr=0.7`. */
                fail_under?: string | null;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_findings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFindings"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_case_passages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
                test_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundPassage"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such run, or it has no result of this case. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The run has ended already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_batches: {
        parameters: {
            query?: {
                state?: components["schemas"]["BatchState"] | null;
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeBatchPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_batch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeBatchView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such batch. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_batch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeBatchView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such batch. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_benches: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_bench: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BenchCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_bench: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_import_bench"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimate_bench_cost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_estimate_bench_cost"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchEstimate"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_bench: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bench_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such bench. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_bench: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bench_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such bench. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bench_progress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bench_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such bench. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bench_report: {
        parameters: {
            query?: {
                format?: components["schemas"]["BenchReportFormat"];
            };
            header?: never;
            path: {
                bench_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such bench. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_bench: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bench_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BenchView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such bench. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The bench has ended already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_shipped_prompts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippedPrompt"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_judge_prompts: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptVersionPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_judge_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptVersion"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing differs from the version before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_judge_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptVersion"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such prompt version. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retire_judge_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptVersion"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such prompt version. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy judges by it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_judge_trial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrialCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialView"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer was not made from notes, so there is nothing to judge it by. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_judge_trial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                trial_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such trial. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_judge_trials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialView"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such evaluation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_criterion_examples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriterionExample"][];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_criteria: {
        parameters: {
            query?: {
                in_force?: boolean;
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriterionPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_criterion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CriterionCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriterionVersion"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing differs from before, or there are ten others. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_criterion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                criterion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriterionVersion"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such criterion. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    archive_criterion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                criterion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriterionVersion"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such criterion. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_alarms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QualityAlarms"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acknowledge_alarm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alarm_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such alarm. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_failures: {
        parameters: {
            query?: {
                state?: components["schemas"]["FailureState"] | null;
                owner?: string | null;
                fault?: string | null;
                note_id?: string | null;
                min_answers?: number | null;
                after?: string | null;
                limit?: number;
                since?: string | null;
                until?: string | null;
                model?: string | null;
                notebook_id?: string | null;
                tz?: string;
                app_version?: string | null;
                environment?: string | null;
                tag?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailurePage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_failure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecurringFailureDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such failure. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_failure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailureUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecurringFailureDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such failure. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_queries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsCatalog"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_true_quality: {
        parameters: {
            query?: {
                by?: "all" | "day" | "week" | "judge" | "model" | "lang" | "notebook" | "app_version" | "environment";
                width?: number;
                since?: string | null;
                until?: string | null;
                model?: string | null;
                notebook_id?: string | null;
                tz?: string;
                app_version?: string | null;
                environment?: string | null;
                tag?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrueQualityResult"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compare_releases: {
        parameters: {
            query?: {
                since?: string | null;
                until?: string | null;
                model?: string | null;
                notebook_id?: string | null;
                tz?: string;
                app_version?: string | null;
                environment?: string | null;
                tag?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasesResult"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_what_changed: {
        parameters: {
            query?: {
                since?: string | null;
                until?: string | null;
                model?: string | null;
                notebook_id?: string | null;
                tz?: string;
                app_version?: string | null;
                environment?: string | null;
                tag?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhatChangedResult"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_query: {
        parameters: {
            query?: {
                limit?: number | null;
                format?: ("json" | "csv" | "jsonl" | "parquet") | null;
                since?: string | null;
                until?: string | null;
                model?: string | null;
                notebook_id?: string | null;
                tz?: string;
                app_version?: string | null;
                environment?: string | null;
                tag?: string | null;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Seconds that the data may be old. Without it they are the primary's. */
                    "X-Data-Age"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsResult"];
                    "text/csv": string;
                    "application/jsonl": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such query, or the workspace has no such notebook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_policy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationSettings"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replace_policy: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspacePolicy"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationSettings"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match names another version of the policy. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forecast_policy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspacePolicy"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyForecast"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    calibrate_judges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalibrationCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalibrationResult"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_calibrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    calibrate_cascade_of_judges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CascadeCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CascadeResult"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such bench. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not done. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_cascade_thresholds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimate_learning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LearningCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LearningEstimate"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It costs more than max_cost_usd. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_learnings: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LearningPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    learn_from_labels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LearningCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LearningDetail"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It costs more than max_cost_usd. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_learning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                learning_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LearningDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has not learned so. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revert_learning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                learning_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LearningDetail"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has not learned so. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It has changed nothing, or the policy has changed since. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoRead"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                kind?: "api" | "session";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreated"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TokenRotate"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreated"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such token, or it is revoked or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was rotated before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: {
                even_last_admin?: boolean;
            };
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such token, or it is revoked already. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is the last valid one with the scope `admin`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_audit_events: {
        parameters: {
            query?: {
                limit?: number;
                after?: string | null;
                /** @description The installation's log; takes the scope `operator`. */
                installation?: boolean;
                kind?: string | null;
                actor?: string | null;
                since?: string | null;
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_audit_events: {
        parameters: {
            query?: {
                format?: components["schemas"]["RecordFormat"];
                /** @description The installation's log; takes the scope `operator`. */
                installation?: boolean;
                kind?: string | null;
                actor?: string | null;
                since?: string | null;
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One record a line; CSV begins with a header and a byte order mark. */
            200: {
                headers: {
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verify_audit_events: {
        parameters: {
            query?: {
                noted?: number | null;
                /** @description The installation's log; takes the scope `operator`. */
                installation?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is being verified already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    traces_summary: {
        parameters: {
            query?: {
                days?: number;
                outcome?: components["schemas"]["Outcome"] | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracesSummary"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_traces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description What was not rejected is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        partialSuccess?: {
                            rejectedSpans?: string;
                            errorMessage?: string;
                        };
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description The body is no ExportTraceServiceRequest; it is not to be sent again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description The token lacks the scope. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description The body is too large, or takes too long to read. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description Neither protobuf nor JSON, or packed by something else than gzip. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description Too many requests, or too much at once. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
            /** @description The database or the reader of spans is away. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code?: number;
                        message?: string;
                    };
                    "application/x-protobuf": string;
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has as many webhooks as it may have. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such webhook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such webhook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such webhook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotate"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            /** @description The body is not JSON in UTF-8, or no whole multipart/form-data. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such webhook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such webhook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The webhook is switched off. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                status?: components["schemas"]["DeliveryStatus"] | null;
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The workspace has no such webhook. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_webhook_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The webhook has no such delivery. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replay_webhook_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description No token, or one that is wrong, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token lacks the scope, or another site's page asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The webhook has no such delivery. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is being sent at the moment. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid; `errors` names the fields. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests than this token may send; Retry-After says when to go on. */
            429: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database, or the model that answers, cannot be reached. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
