curl -sS {{url}}/qa-evaluations \
  -H 'Authorization: Bearer {{token}}' \
  -H 'Content-Type: application/json' \
  -d '{
    "question": "{{question}}",
    "answer": "{{answer}}",
    "sources": [{"title": "{{title}}", "content": "{{note}}"}]
  }'
