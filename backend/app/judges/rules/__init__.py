"""What the offline judge knows: how texts are compared, rules about sentences, wording."""
