"""The offline judge: comparison of texts, rules about sentences, wording."""
